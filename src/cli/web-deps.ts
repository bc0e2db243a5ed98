import { systemClock } from "../clock.ts";
import type { Breaker } from "../crawl/breaker.ts";
import { decideSubmission } from "../crawl/decide.ts";
import { explainUrl } from "../crawl/explain.ts";
import { delayOfHost } from "../crawl/host-gap.ts";
import type { OperateDeps } from "../crawl/move-url.ts";
import * as operate from "../crawl/operate.ts";
import type { PolicyCache } from "../crawl/policy.ts";
import type { QueryLog } from "../crawl/query-log.ts";
import type { RankingWatch } from "../crawl/ranking-watch.ts";
import { frontPageVerdict } from "../crawl/robots-verdict.ts";
import { createStatus } from "../crawl/status.ts";
import { submitUrl } from "../crawl/submit.ts";
import { crawlHostNow, forgetHostAll, liftHostTraps } from "../crawl/whole-host.ts";
import * as accounts from "../db/accounts.ts";
import { listAudit, recordAudit } from "../db/audit.ts";
import { conservation, countHostsByState, countUrlsByState } from "../db/counts.ts";
import { countDocumentsOfHost, type DocumentRow, readDocument } from "../db/documents.ts";
import { readHost } from "../db/hosts.ts";
import { listHosts } from "../db/hosts-list.ts";
import { readUrls } from "../db/operate-urls.ts";
import { robotsOfHost } from "../db/robots.ts";
import * as sessions from "../db/sessions.ts";
import { sitemapsOfHost } from "../db/sitemaps.ts";
import { activitySince, fetchTimes } from "../db/stats.ts";
import { listSubmissions } from "../db/submissions.ts";
import { trapsOfHost } from "../db/traps.ts";
import { listUrls, readListedUrl } from "../db/urls-list.ts";
import { visitsOf, visitsOfHost } from "../db/visits.ts";
import { Model } from "../enrich/model.ts";
import { regionScoreOfHost } from "../frontier/region.ts";
import { ACTIVITY_BUCKET_S, type HttpDeps, type ShownSetting } from "../http/deps.ts";
import type { PublicDeps } from "../http/public-deps.ts";
import type { LoopLagMeter } from "../loop-lag.ts";
import { search } from "../search/search.ts";
import { suggest } from "../search/suggest.ts";
import { SETTINGS } from "../settings.ts";
import { unpackText } from "../text/packed.ts";
import { version } from "../version.ts";
import type { Call } from "./command.ts";
import { rankingDeps, withFactors } from "./ranking-parts.ts";
import { gazetteerOf } from "./region-file.ts";

const FETCH_WINDOW_S = 900;
const SITEMAPS_SHOWN = 50;
const HOST_VISITS = 200;
const URL_VISITS = 50;

interface WebParts {
  operate: OperateDeps;
  policy: PolicyCache;
  breaker: Breaker;
  loopLag: LoopLagMeter;
  watch: RankingWatch;
  /** Null: nobody writes queries down. */
  queries: QueryLog | null;
}

/** Ties what the server asks for to store, crawl and index. */
export function httpDeps(call: Call, parts: WebParts): HttpDeps {
  const { config, log } = call;
  const { db } = parts.operate;
  const began = performance.now();
  return {
    clock: systemClock,
    log,
    settings: {
      version,
      publicUrl: config.web.publicUrl,
      apiToken: config.web.apiToken,
      trustedProxies: config.web.trustedProxies,
      rateLimitPerS: config.web.rateLimitPerS,
      submit: config.web.submit,
      hostUrlsMax: config.scope.hostUrlsMax,
      shown: shownSettings(config.shown),
    },
    status: createStatus({
      db,
      index: parts.operate.index,
      breaker: parts.breaker,
      room: config.scope,
      model: config.ollama === null ? null : new Model(config.ollama),
      uptimeMs: () => performance.now() - began,
    }),
    loopLag: () => parts.loopLag.read(),
    overview: {
      activity: (since) => activitySince(db, since, ACTIVITY_BUCKET_S),
      fetchTimes: () => fetchTimes(db, FETCH_WINDOW_S),
      hostsByState: () => countHostsByState(db),
      conservation: () => conservation(db),
    },
    hosts: hostDeps(call, parts.operate),
    urls: urlDeps(call, parts.operate),
    submissions: {
      list: (filter) => listSubmissions(db, filter),
      decide: (id, decision, actor) => decideSubmission(parts, id, decision, actor),
    },
    ranking: rankingDeps(call, parts),
    accounts: accountDeps(parts.operate),
    audit: {
      record: (entry) => recordAudit(db, entry),
      list: async (filter) => ({ total: null, ...(await listAudit(db, filter)) }),
    },
  };
}

function hostDeps({ config }: Call, deps: OperateDeps): HttpDeps["hosts"] {
  const { db } = deps;
  return {
    list: (filter) => listHosts(db, filter),
    read: async (id) => {
      const host = await readHost(db, id);
      if (!host) return null;
      const [robots, traps, sitemaps, counts, documents, visits] = await Promise.all([
        robotsOfHost(db, id),
        trapsOfHost(db, id),
        sitemapsOfHost(db, id, SITEMAPS_SHOWN),
        countUrlsByState(db, id),
        countDocumentsOfHost(db, id),
        visitsOfHost(db, id, HOST_VISITS),
      ]);
      const { due: _, ...urlsByState } = counts;
      const verdict = frontPageVerdict(robots, config.robotsToken);
      const regionScore = host.regionCount === 0 ? null : regionScoreOfHost(host);
      const found = { robots, traps, sitemaps, verdict, visits };
      return { host, ...found, urlsByState, documents, regionScore };
    },
    delayOf: (host) => delayOfHost(host, config),
    pause: (id, actor) => operate.pauseHost(deps, id, actor),
    resume: (id, actor) => operate.resumeHost(deps, id, actor),
    block: (id, actor) => operate.blockHost(deps, id, actor),
    unblock: (id, actor) => operate.unblockHost(deps, id, actor),
    setDelay: (id, delayMs, actor) => operate.setHostDelay(deps, id, delayMs, actor),
    setQuota: (id, quota, actor) => operate.setHostQuota(deps, id, quota, actor),
    crawlNow: (id, actor) => crawlHostNow(deps, id, actor),
    liftTraps: (id, actor) => liftHostTraps(deps, id, actor),
    forget: (id, actor) => forgetHostAll(deps, id, actor),
  };
}

/** Without its text, which is packed. */
const described = ({ text, ...row }: DocumentRow) => ({
  ...row,
  characters: unpackText(text).length,
});

function urlDeps({ config }: Call, deps: OperateDeps): HttpDeps["urls"] {
  const { db } = deps;
  return {
    list: async (filter) => ({ total: null, ...(await listUrls(db, filter)) }),
    read: async (id) => {
      const url = await readListedUrl(db, id);
      if (!url) return null;
      const [document, [target], visits] = await Promise.all([
        readDocument(db, id),
        readUrls(db, url.targetId === null ? [] : [url.targetId]),
        visitsOf(db, id, URL_VISITS),
      ]);
      return { url, document: document && described(document), target: target ?? null, visits };
    },
    explain: (url) => explainUrl({ db, config }, url),
    retry: (id, actor) => operate.retryUrl(deps, id, actor),
    drop: (id, actor) => operate.dropUrl(deps, id, actor),
    crawlNow: (id, actor) => operate.crawlUrlNow(deps, id, actor),
  };
}

function accountDeps({ db, clock }: OperateDeps): HttpDeps["accounts"] {
  const now = () => new Date(clock.now());
  return {
    list: () => accounts.listAccounts(db),
    byName: (name) => accounts.accountByName(db, name),
    byTokenHash: (hash) => accounts.accountByTokenHash(db, hash),
    session: (idHash) => sessions.readSession(db, idHash, now()),
    createSession: (session) => sessions.createSession(db, session, now()),
    rotateSession: async (oldIdHash, next, oldExpiresAt) => {
      await sessions.rotateSession(db, oldIdHash, next, { now: now(), oldExpiresAt });
    },
    endSession: (idHash) => sessions.endSession(db, idHash),
  };
}

function shownSettings(shown: Readonly<Record<string, string>>): ShownSetting[] {
  return Object.entries(SETTINGS).map(([name, { group, fallback, meaning }]) => ({
    group,
    name,
    value: shown[name] ?? "",
    fallback,
    meaning,
  }));
}

/** What the public pages ask for. */
export function publicDeps(call: Call, parts: WebParts): PublicDeps {
  const { config } = call;
  const { db, index } = parts.operate;
  const gazetteer = gazetteerOf(config);
  return {
    clock: systemClock,
    settings: {
      publicUrl: config.web.publicUrl,
      submit: config.web.submit,
      userAgent: config.userAgent,
      robotsToken: config.robotsToken,
      contact: config.web.publicUrl,
      region: config.region?.profile.title ?? null,
    },
    search: async (request) => {
      const { ranking, factors } = parts.watch.current;
      const wished = withFactors(request, factors);
      const results = await search(index, wished, { gazetteer, ranking });
      return parts.breaker.isAway("postgres")
        ? { ...results, degraded: [...results.degraded, "store"] }
        : results;
    },
    asked: (query, results, isTyped) => parts.queries?.record(query, results, isTyped),
    suggest: (prefix) => suggest(index, prefix),
    indexed: () => index.count(),
    cached: async (id) => {
      const [document, url] = await Promise.all([readDocument(db, id), readListedUrl(db, id)]);
      if (!document || !url) return { kind: "missing" };
      if (document.noarchive) return { kind: "noarchive" };
      const { title, lang, crawledAt } = document;
      const text = unpackText(document.text);
      return { kind: "found", document: { url: url.url, title, lang, text, crawledAt } };
    },
    submit: (url) => submitUrl({ ...parts.operate, policy: parts.policy }, url),
  };
}
