import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { systemClock } from "../../src/clock.ts";
import { admitEntries } from "../../src/crawl/admit-entries.ts";
import { Refusals } from "../../src/crawl/discover.ts";
import { PolicyCache } from "../../src/crawl/policy.ts";
import { createLog } from "../../src/log.ts";
import { readSitemap } from "../../src/parse/sitemap.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";
import { suite } from "../support/suites.ts";

setDefaultTimeout(60_000);
const path = suite("sitemaps/sitemap-cases.json");

test.skipIf(path === null)(
  "of the public suite: private addresses are refused, counted",
  async () => {
    const { cases } = JSON.parse(readFileSync(path!, "utf8"));
    const given = cases.find(({ id }: { id: string }) => id === "loc-private");
    const bytes = Uint8Array.from(Buffer.from(given.body_b64, "base64"));
    const now = Date.now();
    const { entries } = readSitemap({
      ...{ kind: "sitemap", url: given.url, bytes, isLast: true, state: null, charset: null, now },
    });

    const database = await testDatabase();
    const { db } = database;
    const config = testConfig({ FETCH_ALLOW_CIDRS: "", CRAWL_SCOPE: "any" });
    const policy = new PolicyCache({ db, config, clock: systemClock, log: createLog("error") });
    await policy.refresh();
    const refusals = new Refusals();
    const host = { name: "example.com", domain: "example.com" };
    const deps = { db, clock: systemClock, config, policy, refusals, wake: () => {} };
    expect(await admitEntries(deps, { host, via: "sitemap" }, entries)).toBe(1);
    const rows = await database.sql`select url from urls`;
    expect(rows.map(({ url }) => url)).toEqual(given.expect.urls);
    expect(await database.sql`select name from hosts`).toMatchObject([{ name: "example.com" }]);
    // The third is no address of the web: its reader passes it over.
    expect(refusals.take()).toEqual({ "refused.address": 2 });
    await database.close();
  },
);
