import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { type ClaimedUrl, claimUrls } from "../../src/db/claim-urls.ts";
import type { Db } from "../../src/db/connect.ts";
import { type SettleItem, settleGroup } from "../../src/db/settle-group.ts";
import type { PackedText } from "../../src/text/packed.ts";
import { candidate, DAY_MS, documentOf, keyOf, settlement, success } from "../db/frontier.ts";
import { seeded } from "./corpus.ts";
import { type Usage, usageOf } from "./usage.ts";

const HOSTS = 50;
const HOST_URLS = 100;
const PAGES = 3_200;
const LINKS = 30;
/** Of the links of a page. */
const NEW = 3;
const TEXT_BYTES = 3_000;
const HEAD = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor ".repeat(
  2,
);

/** What a page costs: first visits with a document of 3 kB and 30 links, settled in groups. */
export async function settleGroups(db: Db, sql: postgres.Sql, size: number): Promise<Usage> {
  const urls = await claimed(db, sql, `settled-${crypto.randomUUID().slice(0, 8)}`);
  const groups: SettleItem[][] = [];
  for (let at = 0; at < urls.length; at += size) {
    groups.push(urls.slice(at, at + size).map((url, n) => itemOf(url, at + n)));
  }
  await settleGroup(db, groups.shift()!);
  return await usageOf(sql, groups.flat().length, async () => {
    for (const group of groups) await settleGroup(db, group);
  });
}

/** Pages of hosts that are made for it, each with a turn, in no order of hosts. */
async function claimed(db: Db, sql: postgres.Sql, site: string): Promise<ClaimedUrl[]> {
  const name = (host: number) => `${site}-${host}.example.org`;
  const urls: { host: string; url: string; key: string }[] = [];
  for (let host = 0; host < HOSTS; host++) {
    for (let n = 0; n < HOST_URLS; n++) {
      const url = urlOf(name(host), n);
      urls.push({ host: name(host), url, key: keyOf(url) });
    }
  }
  await sql`insert into hosts (name, domain, url_count)
    select n, n, ${HOST_URLS} from unnest(${urls.map((row) => row.host)}::text[]) n group by n`;
  await sql`insert into urls (host_id, key, via, url, next_crawl_at)
    select h.id, u.key, 'link', u.url, now() from hosts h join unnest(
      ${urls.map((row) => row.host)}::text[], ${urls.map((row) => row.key)}::uuid[],
      ${urls.map((row) => row.url)}::text[]) as u (host, key, url) on u.host = h.name`;
  const hosts = await sql`update hosts set turn_token = gen_random_uuid()
    where name like ${`${site}-%`} returning id, turn_token`;
  const requests = hosts.map((row) => ({
    hostId: row.id,
    token: row.turn_token,
    limit: HOST_URLS,
  }));
  const claimed = await claimUrls(db, requests);
  return claimed.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, PAGES);
}

const urlOf = (host: string, n: number | string): string =>
  `https://${host}/section-1/article-${n}`.padEnd(70, "x");

const texts = Array.from(
  { length: 64 },
  () => new Uint8Array(randomBytes(TEXT_BYTES)) as PackedText,
);
const random = seeded(3);

function itemOf(url: ClaimedUrl, n: number): SettleItem {
  const host = new URL(url.url).hostname;
  const contentHash = keyOf(`text of ${url.key}`);
  const candidates = Array.from({ length: LINKS }, (_, link) =>
    candidate(urlOf(host, link < NEW ? `${n}-${link}` : Math.floor(random() * HOST_URLS))),
  );
  const more = { title: HEAD.slice(0, 40), description: HEAD, headings: HEAD, contentHash };
  const nextCrawlAt = new Date(Date.now() + DAY_MS * (1 + random()));
  const validators = { etag: '"5f3a-abc123def"', lastModified: "Wed, 21 Oct 2015 07:28:00 GMT" };
  return settlement(url, {
    row: success(url, { ...validators, nextCrawlAt, contentHash }),
    pages: 1,
    bytes: 12_000,
    firstCrawl: true,
    document: documentOf(url.id, { ...more, text: texts[n % texts.length]! }),
    candidates,
  });
}
