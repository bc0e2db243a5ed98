import { describe, expect, test } from "bun:test";
import { allowedAddresses, checkUrl } from "../../src/fetch/guard.ts";
import { cidrs } from "./client-for.ts";

describe("checkUrl", () => {
  const refused: [url: string, reason: string, why: string][] = [
    ["ftp://a.example/", "scheme", "not the web"],
    ["file:///etc/passwd", "scheme", "not the web"],
    ["data:text/html,hi", "scheme", "not the web"],
    ["javascript:alert(1)", "scheme", "not the web"],
    ["http://", "url", "no host"],
    ["nonsense", "url", "relative"],
    ["http://a.example:99999/", "url", "no port"],
    ["http://user@a.example/", "credentials", "a name"],
    ["http://:secret@a.example/", "credentials", "a password"],
    ["http://a.example:25/", "port", "mail"],
    ["https://a.example:0/", "port", "no port"],
    ["http://a.example:6667/", "port", "chat"],
    ["http://127.0.0.1/", "address", "loopback"],
    ["http://0x7f.1/", "address", "loopback, spelled oddly"],
    ["http://[::1]/", "address", "loopback"],
    ["http://a..example/", "host", "an empty label"],
    [`http://${"a".repeat(64)}.example/`, "host", "a label too long"],
    [`http://${"a.".repeat(127)}example/`, "host", "a name too long"],
    [`http://a.example/${"a".repeat(9_000)}`, "url", "too long"],
  ];
  test.each(refused)("%s is refused: %s (%s)", (url, reason) => {
    expect(checkUrl(url, [])).toMatchObject({ kind: "refused", reason });
  });

  test("says where a request goes", () => {
    expect(checkUrl("https://EXAMPLE.com/a b?c=%20#frag", [])).toEqual({
      kind: "passed",
      target: {
        isSecure: true,
        host: "example.com",
        isAddress: false,
        port: 443,
        authority: "example.com",
        path: "/a%20b?c=%20",
        href: "https://example.com/a%20b?c=%20",
      },
    });
    expect(checkUrl("http://[2606:4700::1]:8080", [])).toMatchObject({
      target: {
        host: "2606:4700::1",
        isAddress: true,
        port: 8080,
        authority: "[2606:4700::1]:8080",
      },
    });
  });

  test("the dot of the root is no part of the name", () => {
    expect(checkUrl("https://a.example./", [])).toMatchObject({ target: { host: "a.example" } });
  });

  test("an underscore is let be", () => {
    expect(checkUrl("http://a_b.example/", []).kind).toBe("passed");
  });
});

test("allowedAddresses leaves the public ones, IPv4 first", () => {
  const found = ["10.0.0.5", "2606:4700::1", "93.184.215.14", "::1", "127.0.1.1"];
  expect(allowedAddresses(found, [])).toEqual(["93.184.215.14", "2606:4700::1"]);
  expect(allowedAddresses(found, cidrs("127.0.1.0/24"))).toEqual([
    "93.184.215.14",
    "127.0.1.1",
    "2606:4700::1",
  ]);
});
