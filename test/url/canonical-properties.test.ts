import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalUrl, urlKey } from "../../src/url/canonical.ts";
import { authority, hostName } from "../../src/url/host.ts";

const RUNS = { numRuns: 2_000 };

/** Pieces that have broken normalisers, put together at random. */
const piece = fc.constantFrom(
  ..."/ // . .. /../ ./ ;jsessionid= ;JSESSIONID=a ?utm_source=x &fbclid ?sid= & = ? #".split(" "),
  ..."% %2 %2e %2E%2e %25 %252e %41 %7E %00 %c3%a9 é 日 \u0000 \ud800 a B".split(" "),
  ..."[ ] { } | \\ ^ ` ' \" < > + * ~ @ : amp;utm_id=1".split(" "),
  ...[" ", "\t", "\n", "/..;jsessionid=1", "/;jsessionid=1/", "0123456789abcdef0123456789abcdef"],
);
const tail = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const host = fc.constantFrom(
  ..."a.example A.Example. bücher.example xn--bcher-kva.example ＡＢ.example localhost".split(" "),
  ..."127.0.0.1 0x7f.1 1.2.3.4. 1.2.3 [::1] [::ffff:1.2.3.4]".split(" "),
  ..."a..b xn--a a_b.example a%2Eb.example u:p@a.example".split(" "),
);
const port = fc.constantFrom("", ":", ":80", ":443", ":8081", ":0", ":65536");
const scheme = fc.constantFrom("http://", "https://", "HTTP://", "http:/", "http:\\\\", "ftp://");
const absolute = fc.tuple(scheme, host, port, tail).map((parts) => parts.join(""));
const anything = fc.oneof(absolute, tail, fc.string({ unit: "binary" }), fc.webUrl());

const canonical = (input: string, base?: string) => {
  const result = canonicalUrl(input, base);
  return result.kind === "canonical" ? result.url : null;
};

describe("for any text", () => {
  test("canonicalUrl never throws and never gives anything but a bounded ASCII http(s) URL", () => {
    fc.assert(
      fc.property(anything, fc.option(anything, { nil: undefined }), (input, base) => {
        const url = canonical(input, base);
        if (url !== null) expect(url).toMatch(/^https?:\/\/[^/?#@]+\/[\x21-\x7e]{0,1990}$/);
      }),
      RUNS,
    );
  });

  test("it is idempotent", () => {
    fc.assert(
      fc.property(anything, absolute, (input, base) => {
        const url = canonical(input, base);
        if (url !== null) expect(canonicalUrl(url)).toEqual({ kind: "canonical", url });
      }),
      RUNS,
    );
  });

  test("scheme, host and port reached are the input's own", () => {
    fc.assert(
      fc.property(absolute, (input) => {
        const url = canonical(input);
        if (url === null) return;
        const [asked, reached] = [new URL(input), new URL(url)];
        expect(reached.protocol).toBe(asked.protocol);
        expect(reached.port).toBe(asked.port);
        expect(reached.hostname).toBe(asked.hostname.replace(/\.$/, ""));
        expect(hostName(url)).toBe(reached.hostname as typeof url & ReturnType<typeof hostName>);
        expect(new URL(authority(url)).origin).toBe(reached.origin);
      }),
      RUNS,
    );
  });

  test("what is not tracking or session is asked for as it was", () => {
    const name = fc.stringMatching(/^[b-d]{1,4}$/);
    const query = fc.array(fc.tuple(name, fc.string({ maxLength: 6 })), { maxLength: 6 });
    fc.assert(
      fc.property(query, (pairs) => {
        const search = new URLSearchParams(pairs);
        const url = canonical(`http://a.example/?${search}`);
        expect([...new URL(url ?? "").searchParams]).toEqual(pairs);
      }),
      RUNS,
    );
  });
});

test("URLs are equal exactly when their keys are", () => {
  fc.assert(
    fc.property(absolute, absolute, (left, right) => {
      const [a, b] = [canonical(left), canonical(right)];
      if (a !== null && b !== null) expect(urlKey(a) === urlKey(b)).toBe(a === b);
    }),
    RUNS,
  );
});
