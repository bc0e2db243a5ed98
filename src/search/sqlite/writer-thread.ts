import "../../thread-priority.ts";
import type { Enrichment, HostRank } from "../port.ts";
import { type Cargo, unpackChanges } from "./cargo.ts";
import { serve } from "./serve.ts";
import { type ApplyLimits, IndexWriter, type WriterSettings } from "./writer.ts";

/** Entry of the writer thread. */

/** Changes of df wait so long, or until there are too many. */
const DF_EVERY_MS = 5_000;
/** While many come they wait longer: those of one term become one, which halves the work. */
const DF_BUSY_MS = 15_000;
const DF_FEW = 10_000;
const DF_WAITING_MAX = 200_000;

/** The same clock in every thread of the process; the deadlines of the adapter are on it. */
const now = (): number => performance.timeOrigin + performance.now();

let writer: IndexWriter | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitedMs = 0;

/** Between two pieces the thread reads its messages, at least as long: documents come first. */
function writeDf(): void {
  timer = undefined;
  const began = now();
  if (writer?.writeSomeDf()) timer = setTimeout(writeDf, now() - began);
  else planDf();
}

function planDf(): void {
  const pending = writer?.pendingDf ?? 0;
  if (pending === 0 || timer !== undefined) return;
  waitedMs = 0;
  timer = setTimeout(startDf, pending > DF_WAITING_MAX ? 1 : DF_EVERY_MS);
}

function startDf(): void {
  const pending = writer?.pendingDf ?? 0;
  waitedMs += DF_EVERY_MS;
  const isGathering = pending > DF_FEW && pending <= DF_WAITING_MAX && waitedMs < DF_BUSY_MS;
  if (isGathering) timer = setTimeout(startDf, DF_EVERY_MS);
  else writeDf();
}

serve({
  open: (settings: WriterSettings) => {
    writer = new IndexWriter(settings, now);
  },
  connect: () => writer!.connect(),
  apply: ({ cargo, ...limits }: { cargo: Cargo } & ApplyLimits) => {
    const results = writer!.apply(unpackChanges(cargo), limits);
    planDf();
    return results;
  },
  rank: ({ ranks, deadlineAt }: { ranks: readonly HostRank[]; deadlineAt: number }) =>
    writer!.rankHosts(ranks, deadlineAt),
  enrich: ({ updates, deadlineAt }: { updates: readonly Enrichment[]; deadlineAt: number }) =>
    writer!.enrich(updates, deadlineAt),
  probe: () => writer!.probe(),
  close: () => {
    clearTimeout(timer);
    writer?.close();
  },
});
