import { round, significant } from "./figures.ts";
import type { Mark } from "./program-crawl.ts";

export interface Window {
  pages: number;
  pages_per_second: number;
  pages_per_cpu_second: number;
  program_mb: number;
  all_mb: number;
}

export interface Flatness {
  windows: Window[];
  /** Speed of the second half over that of the first. */
  ratio: number;
  /** The same of pages per second of CPU: what others do on the machine is not in it. */
  cpu_ratio: number;
  half: { program_mb: number; all_mb: number };
  end: { program_mb: number; all_mb: number };
}

const START = { pages: 0, seconds: 0, cpu_seconds: 0 };

/** Of marks at even steps; the middle one of an odd number of steps belongs to the first half. */
export function flatness(marks: readonly Mark[]): Flatness {
  const last = marks.at(-1);
  const half = marks[Math.ceil(marks.length / 2) - 1];
  if (!last || !half || half === last) throw new Error("two windows at least");
  const [first, second] = [between(START, half), between(half, last)];
  return {
    windows: marks.map((mark, nth) => ({
      pages: mark.pages,
      ...between(marks[nth - 1] ?? START, mark),
      program_mb: mark.program_mb,
      all_mb: mark.all_mb,
    })),
    ratio: significant(second.pages_per_second / first.pages_per_second),
    cpu_ratio: significant(second.pages_per_cpu_second / first.pages_per_cpu_second),
    half: { program_mb: half.program_mb, all_mb: half.all_mb },
    end: { program_mb: last.program_mb, all_mb: last.all_mb },
  };
}

type Clock = Pick<Mark, "pages" | "seconds" | "cpu_seconds">;

function between(from: Clock, to: Clock) {
  const pages = to.pages - from.pages;
  return {
    pages_per_second: round(pages / (to.seconds - from.seconds), 1),
    pages_per_cpu_second: round(pages / (to.cpu_seconds - from.cpu_seconds), 1),
  };
}
