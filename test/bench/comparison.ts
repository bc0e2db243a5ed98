import { median, significant } from "./figures.ts";

/** What of a run is compared with that of another crawler. */
export interface Run {
  pages_per_second: number;
  pages_per_cpu_second: number;
  peak_program_mb: number;
}

export interface Compared {
  pages_per_second: number;
  pages_per_cpu_second: number;
  peak_program_mb: number;
  /** How many times as fast we were: the median of the rounds. */
  ratio: number;
  rounds: { pages_per_second: number; ratio: number }[];
}

/** The order of a round: each comes first in turn, and follows another one than before. */
export function orderOf<T>(crawlers: readonly T[], nth: number): T[] {
  const at = nth % crawlers.length;
  const turned = [...crawlers.slice(at), ...crawlers.slice(0, at)];
  return Math.floor(nth / crawlers.length) % 2 === 0 ? turned : turned.reverse();
}

/**
 * Ratios are those within a round, whose runs lie side by side: the speed of a shared machine
 * changes from one round to the next.
 */
export function compare(
  own: readonly Run[],
  others: Readonly<Record<string, readonly Run[]>>,
): Record<string, Compared> {
  return Object.fromEntries(
    Object.entries(others).map(([name, runs]) => {
      if (runs.length !== own.length) throw new Error(`${name} did not run in every round`);
      const rounds = runs.map(({ pages_per_second }, nth) => ({
        pages_per_second,
        ratio: significant(own[nth]!.pages_per_second / pages_per_second),
      }));
      const middle = (key: keyof Run) => median(runs.map((run) => run[key]));
      return [
        name,
        {
          pages_per_second: middle("pages_per_second"),
          pages_per_cpu_second: middle("pages_per_cpu_second"),
          peak_program_mb: middle("peak_program_mb"),
          ratio: median(rounds.map(({ ratio }) => ratio)),
          rounds,
        },
      ];
    }),
  );
}
