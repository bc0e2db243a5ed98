import type { Batcher } from "../batch.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { ClaimedUrl, ClaimRequest } from "../db/claim-urls.ts";
import type { Db } from "../db/connect.ts";
import type { HostRow } from "../db/hosts.ts";
import type { PageKey } from "../db/page-keys.ts";
import type { SitemapRow } from "../db/sitemaps.ts";
import type { StoredTraps } from "../db/traps.ts";
import type { TurnEnd, TurnEnded, TurnRequest } from "../db/turns.ts";
import type { FetchClient } from "../fetch/client.ts";
import type { Resolver } from "../fetch/resolve.ts";
import type { Log } from "../log.ts";
import type { PackedResult } from "../parse/packed.ts";
import type { ParseRequest } from "../parse/parsed.ts";
import type { SitemapPiece, SitemapRequest } from "../parse/sitemap.ts";
import type { SearchIndex } from "../search/port.ts";
import type { Threads } from "../threads.ts";
import type { Heartbeat } from "../visit/heartbeat.ts";
import type { RobotsGate } from "../visit/robots.ts";
import type { AddressSlots } from "../visit/slots.ts";
import type { Breaker } from "./breaker.ts";
import type { Refusals } from "./discover.ts";
import type { LinkedPairs } from "./linked-pairs.ts";
import type { OwnCookies } from "./own-cookies.ts";
import type { Pipeline } from "./pipeline.ts";
import type { Places } from "./places.ts";
import type { PolicyCache } from "./policy.ts";
import type { SeenKeys } from "./seen.ts";
import type { Settler } from "./settle.ts";
import type { SitemapFinds } from "./sitemap-finds.ts";
import type { Traps } from "./traps.ts";

/** What a host turn works with; made once a process by crawl/crew.ts. */
export interface CrawlDeps {
  db: Db;
  config: Config;
  clock: Clock;
  log: Log;
  random: () => number;
  heartbeat: Heartbeat;
  slots: AddressSlots;
  robots: RobotsGate;
  client: FetchClient;
  resolver: Resolver;
  threads: Threads<ParseRequest | SitemapRequest, PackedResult | SitemapPiece>;
  index: SearchIndex;
  breaker: Breaker;
  pipeline: Pipeline;
  policy: PolicyCache;
  traps: Traps;
  seen: SeenKeys;
  pairs: LinkedPairs;
  cookies: OwnCookies;
  refusals: Refusals;
  finds: SitemapFinds;
  /** Sitemaps that are read at once: each takes some pieces of memory, or a feed. */
  readings: Places;
  /** For those among them that come slowly: they hold little, and hold up nobody. */
  slowReadings: Places;
  settler: Settler;
  /** Turn leases of several hosts in one statement; null: not to be had. */
  turnTakes: Batcher<TurnRequest & { workerId: string }, HostRow | null>;
  /** What is due of a host. */
  dueSitemaps: Batcher<number, SitemapRow[]>;
  /** What is kept of the traps of a host. */
  storedTraps: Batcher<number, StoredTraps>;
  /** Who has a page that neutral parameters give many URLs: is it this one? */
  pages: Batcher<PageKey, boolean>;
  turnEnds: Batcher<TurnEnd, TurnEnded>;
  /** Claims of several turns in one statement. */
  claims: Batcher<ClaimRequest, ClaimedUrl[]>;
  /** Marks of URLs that are being fetched. */
  marks: Batcher<{ id: number; token: string }, null>;
  /** Who keeps a main text: hash and URL in, id of the owner out. */
  owners: Batcher<{ hash: string; urlId: number }, number>;
  /** Something became due: the scheduler should look now. */
  wake: () => void;
}
