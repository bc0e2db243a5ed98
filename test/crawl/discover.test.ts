import { expect, test } from "bun:test";
import { discover, Refusals } from "../../src/crawl/discover.ts";
import { SeenKeys } from "../../src/crawl/seen.ts";
import type { AdmissionPolicy } from "../../src/frontier/admit.ts";
import { storedRules } from "../../src/frontier/host-traps.ts";
import { type PackedPage, packResult } from "../../src/parse/packed.ts";
import { parsePage } from "../../src/parse/page.ts";
import { requestOf } from "../support/parse.ts";
import { OPEN_POLICY } from "../support/policy.ts";

const FROM = { depth: 0, host: "a.example", domain: "a.example" };

async function pageWith(links: readonly string[]): Promise<PackedPage> {
  const anchors = links.map((href) => `<a href="${href}">x</a>`).join("");
  const html = `<title>t</title><p>Text.</p>${anchors}`;
  const parsed = await parsePage({ ...requestOf(html), url: "http://a.example/" });
  const packed = packResult(parsed);
  if (packed.kind !== "page") throw new Error("no page");
  return packed;
}

const depsOf = (policy: AdmissionPolicy) => ({
  policy: { policy: () => policy } as never,
  seen: new SeenKeys(),
  refusals: new Refusals(),
});

test("a page with more new links than one settle takes is read again for the rest", async () => {
  const page = await pageWith(Array.from({ length: 4_500 }, (_, n) => `/n/${n}`));
  const deps = depsOf(OPEN_POLICY);
  const found = new Set<string>();
  const rests: boolean[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const { rows, full } = discover(deps, page, FROM);
    rests.push(full.has("a.example"));
    for (const { key, url } of rows) {
      deps.seen.add(key);
      found.add(url);
    }
  }
  expect(rests).toEqual([true, true, false]);
  expect(found.size).toBe(4_500);
});

test("of URLs of one page those lately known are left, and counted by host", async () => {
  const rules = storedRules([{ pattern: "/cut?*", dry: 20, cutAt: 1 }], ["sid"]);
  const deps = depsOf({ ...OPEN_POLICY, traps: () => rules });
  const page = await pageWith(["/t?sid=1", "/cut?a=1", "/cut?a=2", "/x/x/x/x/"]);
  const first = discover(deps, page, FROM);
  expect(first.rows.map(({ url }) => url)).toEqual(["http://a.example/t?sid=1"]);
  deps.seen.add(first.rows[0]!.pageKey!);
  expect(discover(deps, await pageWith(["/t?sid=2"]), FROM).rows).toEqual([]);
  expect(deps.refusals.takeByHost()).toEqual([
    { host: "a.example", reason: "pattern cut", count: 2 },
    { host: "a.example", reason: "trap", count: 1 },
    { host: "a.example", reason: "same page", count: 1 },
  ]);
  expect(deps.refusals.takeByHost()).toEqual([]);
});
