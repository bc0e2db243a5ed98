/** Numbers and times as people read them. All pure; English forms, UTC times. */

const integers = new Intl.NumberFormat("en");
const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** `12,345`; null and NaN become a dash: unknown is not zero. */
export function count(value: number | null | undefined): string {
  return isKnown(value) ? integers.format(value) : "–";
}

/** One digit after the point: `12.3`. */
export function rate(value: number | null | undefined): string {
  return isKnown(value) ? tenths.format(value) : "–";
}

/** A part of 1: `0.42`. */
export function hundredths(value: number | null | undefined): string {
  return isKnown(value) ? value.toFixed(2) : "–";
}

/** `480 ms`, `1.5 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function duration(ms: number | null | undefined): string {
  if (!isKnown(ms)) return "–";
  const sign = ms < 0 ? "-" : "";
  const abs = Math.abs(ms);
  if (abs < 1_000) return `${sign}${Math.round(abs)} ms`;
  if (abs < 60_000) return `${sign}${trim(abs / 1_000)} s`;
  const [big, bigUnit, small, smallUnit] = units(abs);
  return `${sign}${big} ${bigUnit}${small === 0 ? "" : ` ${small} ${smallUnit}`}`;
}

/** `512 B`, `1.2 kB`, `3.4 MB`: powers of 1,000. */
export function bytes(value: number | null | undefined): string {
  if (!isKnown(value)) return "–";
  const names = ["B", "kB", "MB", "GB", "TB", "PB"];
  let size = value;
  let step = 0;
  while (size >= 999.5 && step < names.length - 1) {
    size /= 1_000;
    step += 1;
  }
  return `${step === 0 ? Math.round(size) : trim(size)} ${names[step]}`;
}

/** `2026-03-01 14:05:09 UTC`. */
export function stamp(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `3 min ago`, `in 2 h`, `now`: rounded to the largest unit. */
export function relative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const abs = Math.abs(ms);
  if (abs < 1_000) return "now";
  const text = abs < 60_000 ? `${Math.floor(abs / 1_000)} s` : largest(abs);
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function trim(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

function units(ms: number): readonly [number, string, number, string] {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return [minutes, "min", 0, ""];
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return [hours, "h", minutes % 60, "min"];
  return [Math.floor(hours / 24), "d", hours % 24, "h"];
}

function largest(ms: number): string {
  const [big, unit] = units(ms);
  return `${big} ${unit}`;
}
