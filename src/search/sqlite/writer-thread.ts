import { serve } from "./serve.ts";
import { type ApplyLimits, type Change, IndexWriter, type WriterSettings } from "./writer.ts";

/** Entry of the writer thread. */

/** Changes of df wait so long, or until there are so many. */
const DF_EVERY_MS = 5_000;
const DF_WAITING_MAX = 200_000;

/** The same clock in every thread of the process; the deadlines of the adapter are on it. */
const now = (): number => performance.timeOrigin + performance.now();

let writer: IndexWriter | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Between two pieces the thread reads its messages, at least as long: documents come first. */
function writeDf(): void {
  timer = undefined;
  const began = now();
  if (writer?.writeSomeDf()) timer = setTimeout(writeDf, now() - began);
  else planDf();
}

function planDf(): void {
  const pending = writer?.pendingDf ?? 0;
  if (pending > 0) timer ??= setTimeout(writeDf, pending > DF_WAITING_MAX ? 1 : DF_EVERY_MS);
}

serve({
  open: (settings: WriterSettings) => {
    writer = new IndexWriter(settings, now);
  },
  connect: () => writer!.connect(),
  apply: ({ changes, ...limits }: { changes: Change[] } & ApplyLimits) => {
    const results = writer!.apply(changes, limits);
    planDf();
    return results;
  },
  probe: () => writer!.probe(),
  close: () => {
    clearTimeout(timer);
    writer?.close();
  },
});
