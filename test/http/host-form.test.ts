import { expect, test } from "bun:test";
import { publicSite } from "../support/public-site.ts";

const choose = (choice: string, cookie = "", back = "/search?q=a") =>
  publicSite().ask("/hosts", {
    form: { choice, back },
    headers: cookie === "" ? {} : { cookie: `trawl_hosts=${cookie}` },
  });

const kept = (answer: Response) =>
  /^trawl_hosts=([^;]*); Path=\/; HttpOnly; SameSite=Lax/.exec(
    answer.headers.get("set-cookie") ?? "",
  )?.[1] ?? null;

test.each([
  ["block a.example", "", "-a.example"],
  ["raise a.example", "-a.example|-b.example", "-b.example|+a.example"],
  ["none a.example", "-a.example|+b.example", "+b.example"],
  ["none a.example", "-a.example", ""],
  ["block [::1]:8080", "nonsense|-<script>", "-[::1]:8080"],
  ["block a.example; Domain=evil.test", "-b.example", null],
  ["block a|+b.example", "", null],
  ["block a\r\nset-cookie: b=c", "", null],
  ["hide a.example", "", null],
  ["", "", null],
])("%j changes %j to %j and leads back", async (choice, before, after) => {
  const answer = await choose(choice, before);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/search?q=a"]);
  expect(kept(answer)).toBe(after);
});

test("a cookie never grows over what a browser takes", async () => {
  const host = (at: number) => `${String(at).padStart(3, "0")}${"x".repeat(200)}.example`;
  const before = Array.from({ length: 60 }, (_, at) => `-${host(at)}`).join("|");
  const after = kept(await choose(`block ${host(99)}`, before))!;
  expect(after.length).toBeLessThanOrEqual(3_800);
  expect(after).toEndWith(`-${host(99)}`);
});

test("it leads nowhere else, and takes no form of another site", async () => {
  const away = await choose("block a.example", "", "https://evil.test/");
  expect(away.headers.get("location")).toBe("/");
  const forged = await publicSite().ask("/hosts", {
    form: { choice: "block a.example" },
    headers: { "sec-fetch-site": "cross-site" },
  });
  expect([forged.status, kept(forged)]).toEqual([403, null]);
});
