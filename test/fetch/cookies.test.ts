import { describe, expect, test } from "bun:test";
import { cookiesOf } from "../../src/fetch/cookies.ts";
import type { ResponseHead } from "../../src/fetch/head.ts";
import { isSendable } from "../../src/fetch/headers.ts";
import { clientFor, requestFor } from "./client-for.ts";
import { httpAnswer, startOrigin } from "./origin.ts";

const NOW = Date.UTC(2026, 0, 15);

function headWith(...lines: string[]): ResponseHead {
  const fields = lines.map((line) => ["set-cookie", line] as const);
  return { status: 302, fields, framing: { kind: "none" }, isPersistent: true };
}

/** why; Set-Cookie lines, the Cookie header that they make */
const ROWS: [why: string, lines: string[], string | null][] = [
  ["nothing is set", [], null],
  ["one pair", ["a=1"], "a=1"],
  ["attributes go, pairs are joined", ["a=1; Path=/; Secure; HttpOnly", "b=2"], "a=1; b=2"],
  ["blanks around", [" a = 1 "], "a=1"],
  ["the last of a name counts", ["a=1", "a=2"], "a=2"],
  ["a quoted value stays quoted", ['a="x y"'], 'a="x y"'],
  ["what servers write in values", ["a=x=y,z"], "a=x=y,z"],
  ["an empty value is one", ["a="], "a="],
  ["no name", ["=1", "a b=1", "noise", "ä=1"], null],
  ["a control character never goes out", ["a=1\u0001", "b=2"], "b=2"],
  ["taken away", ["a=1; Max-Age=0", "b=2"], "b=2"],
  ["set, then taken away", ["a=1", "a=; Max-Age=-1"], null],
  ["Max-Age goes first", ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "a=1"],
  ["over", ["a=1; expires=Thu, 01 Jan 1970 00:00:00 GMT"], null],
  ["over, as Netscape wrote dates", ["a=1; expires=Thu, 01-Jan-1970 00:00:00 GMT"], null],
  ["to come", ["a=1; expires=Fri, 01 Jan 2100 00:00:00 GMT"], "a=1"],
  ["nonsense ends nothing", ["a=1; expires=nonsense; max-age=soon"], "a=1"],
  ["4 KB and no more", [`a=${"x".repeat(5_000)}`, "b=2"], "b=2"],
];

describe("cookiesOf", () => {
  test.each(ROWS)("%s", (_why, lines, expected) => {
    expect(cookiesOf(headWith(...lines), NOW)).toBe(expected);
  });

  test("many cookies fit into one header of 4 KB", () => {
    const cookies = cookiesOf(
      headWith(...Array.from({ length: 2_000 }, (_, n) => `c${n}=v`)),
      NOW,
    )!;
    expect(cookies.length).toBeLessThanOrEqual(4_096);
    expect(cookies.length).toBeGreaterThan(4_000);
    expect(isSendable(cookies)).toBe(true);
  });
});

describe("a request with cookies", () => {
  test("sends them as they are, and tells what a redirect sets", async () => {
    const origin = await startOrigin((socket) =>
      socket.write(httpAnswer("302 Found", { Location: "/next", "Set-Cookie": "seen=2; Path=/" })),
    );
    const client = clientFor();
    try {
      const url = `http://127.0.0.1:${origin.port}/`;
      const answer = await client.fetch({ ...requestFor(url), cookies: "seen=1; b=2" });
      expect(answer).toMatchObject({ kind: "redirected", cookies: "seen=2" });
      expect(origin.asked[0]!.head).toContain("\r\nCookie: seen=1; b=2");
      await client.fetch(requestFor(url));
      await client.fetch({ ...requestFor(url), cookies: "a=1\r\nX-Evil: yes" });
      for (const { head } of origin.asked.slice(1)) expect(head).not.toMatch(/cookie|evil/i);
    } finally {
      await client.close();
      await origin.close();
    }
  });
});
