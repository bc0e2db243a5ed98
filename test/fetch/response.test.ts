import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Ending, type Problem, ResponseReader } from "../../src/fetch/response.ts";

interface Read {
  status: number | null;
  body: string;
  end: "open" | "reusable" | "whole" | Problem["kind"] | string;
}

/** Reads an answer in the given pieces, then ends the connection (or leaves it open). */
function read(pieces: readonly Buffer[], ending: Ending | null, headerBytesMax = 4_096): Read {
  const result: Read = { status: null, body: "", end: "open" };
  const reader = new ResponseReader(
    {
      head: (head) => {
        result.status = head.status;
        return true;
      },
      content: (bytes) => {
        result.body += Buffer.from(bytes).toString("latin1");
        return true;
      },
      whole: (isReusable) => {
        result.end = isReusable ? "reusable" : "whole";
      },
      broken: (problem) => {
        result.end = problem.kind === "interrupted" ? problem.cause : problem.kind;
      },
    },
    headerBytesMax,
  );
  for (const piece of pieces) reader.push(piece);
  if (ending !== null) reader.close(ending, "");
  return result;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** What arrives, whether and how the connection then ends, and what it comes to. */
const table: [text: string, ending: Ending | null, end: Read["end"], body: string, why: string][] =
  [
    [`${OK}Content-Length: 2\r\n\r\nok`, null, "reusable", "ok", "the plain case"],
    [`${OK}Content-Length: 0\r\n\r\n`, null, "reusable", "", "an empty body"],
    [`${OK}Content-Length: 2\r\n\r\nok!`, null, "whole", "ok", "more than was said"],
    [`${OK}Content-Length: 2\r\n\r\no`, null, "open", "o", "more to come"],
    [`${OK}Content-Length: 2\r\n\r\no`, "ended", "truncated", "o", "less than was said"],
    [`${OK}Content-Length: 2\r\n\r\no`, "reset", "reset", "o", "torn"],
    [
      `${OK}Content-Length: 2, 2\r\nContent-Length: 2\r\n\r\nok`,
      null,
      "reusable",
      "ok",
      "the same thrice",
    ],
    [`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, null, "malformed", "", "two lengths"],
    [`${OK}Content-Length: 2,3\r\n\r\nok`, null, "malformed", "", "two lengths in one line"],
    [`${OK}Content-Length: -2\r\n\r\nok`, null, "malformed", "", "negative"],
    [`${OK}Content-Length: +2\r\n\r\nok`, null, "malformed", "", "signed"],
    [`${OK}Content-Length: 0x2\r\n\r\nok`, null, "malformed", "", "hexadecimal"],
    [`${OK}Content-Length: 2 2\r\n\r\nok`, null, "malformed", "", "two in a blank"],
    [`${OK}Content-Length:\r\n\r\nok`, null, "malformed", "", "empty"],
    [`${OK}Content-Length: ${"9".repeat(30)}\r\n\r\n`, null, "malformed", "", "overflow"],
    [`${OK}Content-Length : 2\r\n\r\nok`, null, "malformed", "", "blank before the colon"],
    [`${OK}Content-Length: 2\r\n 2\r\n\r\nok`, null, "malformed", "", "folded"],
    [`${OK}\r\nok`, "ended", "whole", "ok", "until close"],
    [`${OK}\r\nok`, "cut", "truncated", "ok", "TLS without farewell"],
    [`${OK}\r\nok`, "reset", "reset", "ok", "torn"],
    [`${CHUNKED}2\r\nok\r\n0\r\n\r\n`, null, "reusable", "ok", "chunks"],
    [
      `${CHUNKED}2;a=b\r\nok\r\n2 \r\nok\r\n00\r\nA: b\r\n\r\n`,
      null,
      "reusable",
      "okok",
      "extension, trailer",
    ],
    [`${CHUNKED}2\r\nok\r\n0\r\n\r\nx`, null, "whole", "ok", "bytes behind the end"],
    [`${CHUNKED}2\r\nok\r\n`, "ended", "truncated", "ok", "no last chunk"],
    [`${CHUNKED}2\r\nok\r\n0\r\n`, "ended", "truncated", "ok", "no end of trailers"],
    [`${CHUNKED}zz\r\nok\r\n`, null, "malformed", "", "no size"],
    [`${CHUNKED}-2\r\nok\r\n`, null, "malformed", "", "negative size"],
    [`${CHUNKED}0x2\r\nok\r\n`, null, "malformed", "", "prefixed size"],
    [`${CHUNKED}2\nok\n`, null, "malformed", "", "bare LF in chunks"],
    [`${CHUNKED}2\r\nokay\r\n`, null, "malformed", "ok", "longer than its size"],
    [`${CHUNKED}${"F".repeat(17)}\r\nok`, null, "malformed", "", "size overflow"],
    [`${CHUNKED}2;${"a".repeat(2_000)}\r\nok`, null, "malformed", "", "extension flood"],
    [`${CHUNKED}0\r\n${"a: b\r\n".repeat(4_000)}\r\n`, null, "malformed", "", "trailer flood"],
    [
      `${OK}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n`,
      null,
      "malformed",
      "",
      "TE and CL",
    ],
    [
      `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`,
      null,
      "malformed",
      "",
      "a coding beside chunked",
    ],
    [`${OK}Transfer-Encoding: chunked, chunked\r\n\r\n`, null, "malformed", "", "chunked twice"],
    [
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      null,
      "malformed",
      "",
      "chunked in 1.0",
    ],
    [
      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
      null,
      "whole",
      "ok",
      "1.0 is not kept alive",
    ],
    [
      `${OK}Connection: Foo, Close\r\nContent-Length: 2\r\n\r\nok`,
      null,
      "whole",
      "ok",
      "asks to close",
    ],
    [
      "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n",
      null,
      "reusable",
      "",
      "204 has no body",
    ],
    ["HTTP/1.1 204 No Content\r\n\r\nok", null, "whole", "", "204 with one is not used again"],
    [
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
      null,
      "reusable",
      "",
      "304 has no body",
    ],
    ["HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", null, "reusable", "", "no reason"],
    ["HTTP/1.1 2000 OK\r\n\r\n", null, "malformed", "", "four digits"],
    ["HTTP/1.1 099 OK\r\n\r\n", null, "malformed", "", "below 100"],
    ["HTTP/1.1 abc OK\r\n\r\n", null, "malformed", "", "letters"],
    ["HTTP/2 200 OK\r\n\r\n", null, "malformed", "", "another version"],
    ["<html>", null, "malformed", "", "HTTP/0.9"],
    ["SSH-2.0-x\r\n", null, "malformed", "", "another protocol"],
    ["", "ended", "reset", "", "nothing"],
    ["HTTP/1.1 20", "ended", "reset", "", "half a head"],
    [`${OK}A: ${"a".repeat(5_000)}\r\n\r\n`, null, "too large", "", "head over the cap"],
    [`${OK}A: ${"a".repeat(5_000)}`, null, "too large", "", "head without end"],
    [`${OK}A: b\0c\r\n\r\n`, null, "malformed", "", "NUL"],
    [`${OK}A: b\rc\r\n\r\n`, null, "malformed", "", "bare CR"],
    [`${OK} A: b\r\n\r\n`, null, "malformed", "", "folded first line"],
    ["HTTP/1.1 200 OK\nContent-Length: 2\n\nok", null, "whole", "ok", "bare LF: read, not kept"],
    [
      `${OK}nocolon\r\nContent-Length: 2\r\n\r\nok`,
      null,
      "whole",
      "ok",
      "no colon: read, not kept",
    ],
    [
      `${OK}A: b\r\n c\r\nContent-Length: 2\r\n\r\nok`,
      null,
      "whole",
      "ok",
      "folded: read, not kept",
    ],
    [
      `HTTP/1.1 103 Hints\r\nA: b\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`,
      null,
      "reusable",
      "ok",
      "interim",
    ],
    ["HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", null, "malformed", "", "another protocol"],
    ["HTTP/1.1 103 Hints\r\n\r\n".repeat(20), null, "malformed", "", "interim flood"],
    [
      `HTTP/1.1 103 Hints\r\nA: ${"a".repeat(900)}\r\n\r\n`.repeat(6),
      null,
      "too large",
      "",
      "interims count",
    ],
  ];

describe("an answer", () => {
  test.each(table)("%#", (text, ending, end, body, why) => {
    expect({ ...read([Buffer.from(text, "latin1")], ending), why }).toMatchObject({
      end,
      body,
      why,
    });
  });

  test.each(table)("byte by byte %#", (text, ending, end, body, why) => {
    const pieces = [...Buffer.from(text, "latin1")].map((byte) => Buffer.from([byte]));
    const result = read(pieces, ending);
    // what lies behind the end shows only when it comes along with it
    const expected = end === "whole" && result.end === "reusable" ? "reusable" : end;
    expect({ ...result, why }).toMatchObject({ end: expected, body, why });
  });

  test("reads the same however it is cut", () => {
    const chunk = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 40 });
    const cuts = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), cuts, (chunks, lengths) => {
        const framed = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
        const bytes = Buffer.from(`${CHUNKED}${framed}0\r\n\r\n`, "latin1");
        const pieces: Buffer[] = [];
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const length = 1 + (lengths[i % lengths.length] ?? 0);
          pieces.push(bytes.subarray(at, at + length));
          at += length;
        }
        expect(read(pieces, null)).toEqual({ status: 200, body: chunks.join(""), end: "reusable" });
      }),
    );
  });

  test("any bytes end in a known way", () => {
    const start = fc.constantFrom("", OK, CHUNKED, `${OK}Content-Length: 5\r\n`, "HTTP/1.1 ");
    const tail = fc.string({ unit: "binary-ascii", maxLength: 200 });
    fc.assert(
      fc.property(
        start,
        tail,
        fc.constantFrom<Ending>("ended", "cut", "reset"),
        (head, rest, ending) => {
          const { end } = read([Buffer.from(head + rest, "latin1")], ending);
          const known = ["reusable", "whole", "malformed", "too large", "truncated", "reset"];
          expect(known).toContain(end);
        },
      ),
    );
  });

  test("a million chunks of one byte cost little", () => {
    const startedAt = performance.now();
    const piece = Buffer.from("1\r\na\r\n".repeat(10_000));
    const pieces = [Buffer.from(CHUNKED), ...new Array<Buffer>(100).fill(piece)];
    expect(read(pieces, "ended").end).toBe("truncated");
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
