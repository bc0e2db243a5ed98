import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import { documentOf } from "../search/documents.ts";
import { jsonOf, openShell } from "../support/shell.ts";

setDefaultTimeout(60_000);
const shell = openShell({ REGION: "quebec" });
afterAll(() => shell.remove());

beforeAll(async () => {
  const index = await openIndex({ dataDir: shell.path("data"), log: silentLog });
  const page = { host: "a.example", title: "Piscine", text: "Horaire de la piscine de la ville." };
  await index.put(documentOf({ id: 1, ...page, regionScore: 0.02 }));
  const there = { regionScore: 0.9, locations: ["Saguenay"] };
  await index.put(documentOf({ id: 2, ...page, ...there, host: "b.example" }));
  await index.close();
});

test("the page of the place comes first; each part of its score is said in words and numbers", async () => {
  const { code, out } = await shell.run("search", "piscine", "saguenay", "--explain");
  expect(code).toBe(0);
  const lines = out.split("\n").map((line) => line.trim());
  expect(lines[1]).toBe("asked for: Saguenay");
  expect(lines[3]).toBe("https://b.example/page/2");
  expect(lines).toContain("Region of the page 0.90 (how far the page speaks of the region)");
  expect(lines).toContain("Place 1.00 (whether it is about the place in the query)");
  expect(out).not.toContain("Freshness");
});

test("without it nothing is explained; as JSON the parts have names", async () => {
  const plain = await shell.run("search", "piscine", "saguenay");
  expect(plain.out).not.toContain("Region");
  const { hits, places } = jsonOf<{ hits: { explain: object }[]; places: object }>(
    await shell.run("search", "piscine", "saguenay", "--explain", "--json"),
  );
  expect(hits[0]!.explain).toMatchObject({ region_page: 0.9, region_host: 0, locality: 1 });
  expect(places).toEqual({ near: ["Saguenay"], elsewhere: [] });
});
