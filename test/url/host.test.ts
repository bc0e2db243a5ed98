import { describe, expect, test } from "bun:test";
import { type CanonicalUrl, canonicalUrl } from "../../src/url/canonical.ts";
import {
  authority,
  type HostName,
  hostName,
  isPublicName,
  isPublicSuffix,
  registrableDomain,
} from "../../src/url/host.ts";

const url = (input: string): CanonicalUrl => {
  const result = canonicalUrl(input);
  if (result.kind !== "canonical") throw new Error(`${input} is refused: ${result.reason}`);
  return result.url;
};

describe("a URL's host, authority and registrable domain", () => {
  const rows: [input: string, host: string, authority: string, domain: string][] = [
    ["http://a.example/x:1", "a.example", "http://a.example:80", "a.example"],
    ["https://www.a.example", "www.a.example", "https://www.a.example:443", "a.example"],
    ["http://x.a.co.uk:8081/?q=/:1", "x.a.co.uk", "http://x.a.co.uk:8081", "a.co.uk"],
    [
      "https://owner.github.io/",
      "owner.github.io",
      "https://owner.github.io:443",
      "owner.github.io",
    ],
    ["https://github.io/", "github.io", "https://github.io:443", "github.io"],
    ["http://localhost:3000/", "localhost", "http://localhost:3000", "localhost"],
    ["http://127.0.0.1/", "127.0.0.1", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://127.0.7.9:81/", "127.0.7.9", "http://127.0.7.9:81", "127.0.7.9"],
    ["http://[2001:db8::1]/", "[2001:db8::1]", "http://[2001:db8::1]:80", "2001:db8::1"],
    ["https://[::1]:8443/", "[::1]", "https://[::1]:8443", "::1"],
    [
      "http://bücher.example/",
      "xn--bcher-kva.example",
      "http://xn--bcher-kva.example:80",
      "xn--bcher-kva.example",
    ],
    ["http://ville.qc.ca/", "ville.qc.ca", "http://ville.qc.ca:80", "ville.qc.ca"],
  ];
  test.each(rows)("%s", (input, host, at, domain) => {
    const name = hostName(url(input));
    expect<string>(name).toBe(host);
    expect<string>(authority(url(input))).toBe(at);
    expect(registrableDomain(name)).toBe(domain);
  });
});

test.each([
  ["com", true],
  ["co.uk", true],
  ["github.io", true],
  ["owner.github.io", false],
  ["a.example", false],
  ["localhost", false],
  ["127.0.0.1", false],
  ["[::1]", false],
])("%s is a public suffix: %p", (name, isSuffix) => {
  expect(isPublicSuffix(name as HostName)).toBe(isSuffix);
});

test.each([
  ["example.org", true],
  ["www.ville.qc.ca", true],
  ["owner.github.io", true],
  ["xn--bcher-kva.de", true],
  ["localhost", false],
  ["wiki.corp", false],
  ["a.example", false],
  ["printer.local", false],
])("%s is a name of the public DNS: %p", (name, known) => {
  expect(isPublicName(name)).toBe(known);
});
