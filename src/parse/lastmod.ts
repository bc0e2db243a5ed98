/** W3C date and time, from a year alone to fractions of a second; also with a blank for the T. */
const W3C = new RegExp(
  String.raw`^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?` +
    String.raw`\s*(Z|[+-]\d\d:?\d\d)?)?)?)?$`,
  "i",
);
/** What servers send that take the date of their HTTP headers. */
const RFC_1123 =
  /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/;
/** Before the web nothing was modified. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);

/**
 * When an entry says that its page changed, in epoch ms; null for what is no date, and for a date
 * that lies before the web or after `now`. Without a zone it is UTC, without a day the first.
 */
export function parseLastmod(text: string, now: number): number | null {
  const ms = instantOf(text.trim());
  return ms === null || ms < EARLIEST_MS || ms > now ? null : ms;
}

function instantOf(text: string): number | null {
  if (RFC_1123.test(text)) {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? null : ms;
  }
  const found = W3C.exec(text);
  if (found === null) return null;
  const at = (part: number, fallback: number) => Number(found[part] ?? fallback);
  const [year, month, day] = [at(1, 0), at(2, 1), at(3, 1)];
  const [hour, minute, second] = [at(4, 0), at(5, 0), at(6, 0)];
  if (hour > 24 || minute > 59 || second > 60) return null;
  const dayMs = Date.UTC(year, month - 1, day);
  // The 31st of a short month, and month 13, would run over into the next.
  if (new Date(dayMs).getUTCMonth() !== month - 1 || new Date(dayMs).getUTCDate() !== day) {
    return null;
  }
  const fraction = Math.floor(Number(`0.${found[7] ?? "0"}`) * 1000);
  const seconds = (hour * 60 + minute) * 60 + second;
  return dayMs + seconds * 1000 + fraction - zoneMs(found[8]);
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** 0 to 1 as the protocol has it; null for anything else. */
export function parsePriority(text: string): number | null {
  const trimmed = text.trim();
  if (!/^\d?(?:\.\d{1,9})?$/.test(trimmed) || trimmed === "") return null;
  const priority = Number(trimmed);
  return priority <= 1 ? priority : null;
}
