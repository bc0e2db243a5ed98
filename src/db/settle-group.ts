import { sql } from "drizzle-orm";
import type { ParameterRecord } from "../frontier/trap-parameters.ts";
import { type NoRoom, ROOM_FOR_ALL, type Room } from "./admission-room.ts";
import { type AdmitRow, admitUrls } from "./admit-urls.ts";
import { bigints, uuids } from "./bulk.ts";
import { dueNow, type HostChange } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { type DuplicateSettled, freeContent, ownerless } from "./content.ts";
import { wakeDependants, wakeDuplicates, wakeStranded, wakeThese } from "./dependants.ts";
import { type DocumentRow, savedValues, saving } from "./documents.ts";
import { linkHosts } from "./host-links.ts";
import { wantRepairs } from "./index-repairs.ts";
import { deleteDocuments, type GoneDocument, regionGone } from "./operate-urls.ts";
import { noteRefusedLinks, type RefusedLinks, roomAt } from "./refused-links.ts";
import { SETTLED, type SettleRow, settleUrls, settling } from "./settle-urls.ts";
import { keep, run } from "./statement.ts";
import { retrying } from "./store-errors.ts";
import { type LearnedPattern, saveLearned, TRAP_CHANGES } from "./traps.ts";

/** All that the end of one visit writes. */
export interface SettleItem {
  readonly row: SettleRow;
  readonly hostId: number;
  /** Turn token: the host's counts are fenced by it. */
  readonly token: string;
  /** Added to the host's counts. */
  readonly pages: number;
  readonly bytes: number;
  /** First success of the URL: what `crawled` counts. */
  readonly firstCrawl: boolean;
  readonly document: DocumentRow | null;
  readonly removesDocument: boolean;
  /** The index may hold something else of it than this. */
  readonly doubtsIndex: boolean;
  /** The page has another main text now: what it owned before is free. */
  readonly freesContent: boolean;
  /** Who of those that point at it comes due. */
  readonly wakes: {
    /** Duplicates of it, and pages that point at it. */
    readonly dependants: boolean;
    /** Those alone that have its old main text. */
    readonly duplicates: boolean;
    /** Those that are left without a document, itself among them. */
    readonly stranded: boolean;
  };
  /** It is done as a duplicate: of whom, and of which text. */
  readonly duplicate: DuplicateSettled | null;
  readonly candidates: readonly AdmitRow[];
  /** Where links of it found no room before this (see refused-links.ts). */
  readonly fullAt?: readonly string[];
  /** Names of other hosts that its host may newly link to. */
  readonly linkedHosts: readonly string[];
  /** What it taught of its host; absent: nothing that must be kept. */
  readonly learned?: SettledLearning;
  /** Key of the URL that a redirect or canonical points at, admitted or not. */
  readonly targetKey: string | null;
}

export interface SettledLearning {
  readonly patterns: readonly LearnedPattern[];
  readonly parameters: readonly ParameterRecord[];
  /** What admission must know has changed. */
  readonly changesRules: boolean;
}

export interface SettledGroup {
  /** Ids whose lease was still theirs; of the others nothing was settled. */
  readonly settled: ReadonlySet<number>;
  /** Something became due now. */
  readonly woke: boolean;
  /** Candidates that there was no room for, by key. */
  readonly refused: ReadonlyMap<string, NoRoom>;
  /** Of the hosts linked to those that the store knows, by `pairOf`. */
  readonly linked: ReadonlySet<string>;
}

/**
 * The settles of many visits in one transaction: rows first, each fenced by its lease token, then
 * documents, content owners and candidates of those that came back, hosts last. A visit that lost
 * its lease may have written to the index over what somebody else settled: the index is looked at.
 */
export function settleGroup(
  db: Db,
  items: readonly SettleItem[],
  room: Room = ROOM_FOR_ALL,
): Promise<SettledGroup> {
  return retrying(db, async (tx) => {
    const { settled, replaced } = await settleDocuments(tx, items);
    const back = items.filter((item) => settled.has(item.row.id));
    const gone = await removeDocuments(tx, back);
    await wantRepairs(
      tx,
      items.filter(({ row, doubtsIndex }) => doubtsIndex || !settled.has(row.id)).map(idOf),
    );
    const unlinked = await linkTargets(tx, back);
    const woken = await wakeAll(tx, back, unlinked);
    const changes: HostChange[] = back.map((item) => ({
      hostId: item.hostId,
      token: item.token,
      pages: item.pages,
      bytes: item.bytes,
      ...regionChange(item, replaced),
    }));
    const hostOf = new Map(back.map((item) => [item.row.id, item.hostId]));
    const candidates = back.flatMap((item) => item.candidates);
    const crawled = back.filter((item) => item.firstCrawl).length;
    const hosts = [...changes, ...woken.map(dueNow), ...regionGone(gone, hostOf)];
    const traps = await saveLearning(tx, back);
    const counts = { crawled, [TRAP_CHANGES]: traps };
    const results = await admitUrls(tx, candidates, hosts, room, counts);
    await linkTargets(tx, unlinked.filter(admitsTarget));
    const admitted = results.some((result) => result.kind === "admitted");
    const refused = new Map<string, NoRoom>();
    for (const each of results) if (each.kind === "refused") refused.set(each.key, each.reason);
    await noteRefusedLinks(
      tx,
      back.map((item) => refusedLinksOf(item, refused)),
    );
    // Last, and behind the admission, which makes hosts known: all transactions lock one row there.
    const linked = await linkHosts(tx, back);
    return { settled, woke: admitted || woken.length > 0, refused, linked };
  });
}

/** Gives how many of them change what admission must know. */
async function saveLearning(tx: Db, back: readonly SettleItem[]): Promise<number> {
  const all = back.flatMap(({ hostId, learned }) => (learned ? [{ hostId, ...learned }] : []));
  if (all.length === 0) return 0;
  await saveLearned(
    tx,
    all.flatMap(({ patterns }) => patterns),
    all.flatMap(({ hostId, parameters }) => parameters.map((each) => ({ hostId, ...each }))),
  );
  return all.filter(({ changesRules }) => changesRules).length;
}

function refusedLinksOf(item: SettleItem, refused: ReadonlyMap<string, NoRoom>): RefusedLinks {
  const hosts = new Set(item.fullAt);
  if (refused.size > 0) {
    for (const { key, host } of item.candidates) {
      const reason = refused.get(key);
      const at = reason === undefined ? null : roomAt(reason, host);
      if (at !== null) hosts.add(at);
    }
  }
  return { urlId: item.row.id, hosts: [...hosts] };
}

const idOf = (item: SettleItem): number => item.row.id;

interface SettledRows {
  readonly settled: Set<number>;
  /** Region scores of the documents that others took the place of. */
  readonly replaced: ReadonlyMap<number, number>;
}

/** One statement: a group is so small that each one more costs as much as some rows. */
async function settleDocuments(tx: Db, items: readonly SettleItem[]): Promise<SettledRows> {
  const rows = items.map((item) => item.row);
  const documents = items.flatMap((item) => item.document ?? []);
  if (documents.length === 0) {
    return { settled: await settleUrls(tx, rows), replaced: new Map() };
  }
  const values = { ...SETTLED.values(rows), ...savedValues(documents) };
  const settled = await settleAndSave(tx, values);
  const replaced = settled.filter(({ before }) => before !== null);
  return {
    settled: new Set(settled.map((row) => Number(row.id))),
    replaced: new Map(replaced.map((row) => [Number(row.id), row.before!])),
  };
}

/** What was there before is read as it was when the statement began: the lease keeps it so. */
const settleAndSave = keep<{ id: string; before: number | null }>(
  () => sql`with settled as (${settling()}),
      ${saving(sql`d.url_id = any(array(select id from settled))`)}
    select s.id, (select region_score from documents d where d.url_id = s.id) as before
    from settled s`,
);

/** A document that is saved counts anew; the one that it replaced no more. */
function regionChange(
  { row, document }: SettleItem,
  replaced: ReadonlyMap<number, number>,
): Pick<HostChange, "regionSum" | "regionCount"> {
  if (document === null) return {};
  const before = replaced.get(row.id) ?? null;
  const after = document.regionScore;
  return {
    regionSum: (after ?? 0) - (before ?? 0),
    regionCount: (after === null ? 0 : 1) - (before === null ? 0 : 1),
  };
}

async function removeDocuments(tx: Db, back: readonly SettleItem[]): Promise<GoneDocument[]> {
  const gone = await deleteDocuments(tx, back.filter((item) => item.removesDocument).map(idOf));
  await freeContent(
    tx,
    back
      .filter((item) => item.freesContent && !item.removesDocument)
      .map(({ row }) => ({ urlId: row.id, keep: row.contentHash })),
  );
  return gone;
}

/**
 * Gives the items whose target is not known: they are linked once it is admitted. Linked before
 * anybody is woken, so that in a circle of pages the last one closes it.
 */
async function linkTargets(tx: Db, items: readonly SettleItem[]): Promise<SettleItem[]> {
  const pointing = items.filter((item) => item.targetKey !== null);
  if (pointing.length === 0) return [];
  const rows = await run<{ id: string }>(
    tx,
    sql`update urls u set target_id = t.id
      from unnest(${bigints(pointing.map(idOf))},
        ${uuids(pointing.map((item) => item.targetKey))}) as s (id, key)
      join urls t on t.key = s.key
      where u.id = s.id and u.id <> t.id
      returning u.id`,
  );
  const linked = new Set(rows.map((row) => Number(row.id)));
  return pointing.filter((item) => !linked.has(item.row.id));
}

const admitsTarget = ({ targetKey, candidates }: SettleItem): boolean =>
  candidates.some(({ key }) => key === targetKey);

/** Hosts of all that comes due because of these; a target that is admitted now is still open. */
async function wakeAll(
  tx: Db,
  back: readonly SettleItem[],
  unlinked: readonly SettleItem[],
): Promise<number[]> {
  const ids = (what: keyof SettleItem["wakes"]) =>
    back.filter((item) => item.wakes[what]).map(idOf);
  const open = new Set(unlinked.filter(admitsTarget).map(idOf));
  const duplicates = back.flatMap(({ duplicate }) => duplicate ?? []);
  return [
    ...(await wakeDependants(tx, ids("dependants"))),
    ...(await wakeDuplicates(tx, ids("duplicates"))),
    ...(await wakeThese(tx, await ownerless(tx, duplicates))),
    ...(await wakeStranded(
      tx,
      ids("stranded").filter((id) => !open.has(id)),
    )),
  ];
}
