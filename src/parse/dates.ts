/** Milliseconds since the epoch, of a date as pages and headers write it; null: not a date. */
export function parseDate(written: string): number | null {
  const text = written.trim();
  if (text.length > 64) return null;
  return isoDate(text) ?? namedDate(text);
}

const DAY_MS = 86_400_000;
const WEB_EPOCH = Date.UTC(1990, 0, 1);

/** First of the dates that can be a publication: not before the web, not after tomorrow. */
export function publishedAt(written: Iterable<string>, now: number): string | null {
  for (const text of written) {
    const date = parseDate(text);
    if (date === null || date < WEB_EPOCH || date > now + DAY_MS) continue;
    return new Date(date).toISOString();
  }
  return null;
}

/** A full date in the path: `/2024/05/17/`, `/2024-05-17-title`, `/20240517/`. */
export function dateOfUrl(url: string): string | null {
  const path = /^https?:\/\/[^/]+([^?]*)/.exec(url)?.[1] ?? "";
  const found =
    /\/((?:19|20)\d\d)([/-])(\d{1,2})\2(\d{1,2})(?=[/_.-]|$)/.exec(path) ??
    /\/((?:19|20)\d\d)()(\d\d)(\d\d)(?=[/_.-]|$)/.exec(path);
  if (found === null) return null;
  const [, year, , month, day] = found as unknown as [string, string, string, string, string];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const TIME = "(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?";
const ZONE = "(?:\\s*(Z|[+-]\\d{2}:?\\d{2}|[+-]\\d{2}|\\(?[A-Z]{2,5}\\)?))?";
const ISO = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?:[T\\s]+${TIME}${ZONE})?$`, "i");
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?$/i;
/** Dots put the day first everywhere; slashes do not, and are not guessed at. */
const DOTTED = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?:[,\\s]+${TIME}${ZONE})?$`, "i");

function isoDate(text: string): number | null {
  const iso = ISO.exec(text);
  if (iso !== null) return dateOf([iso[1], iso[3], iso[4]], iso.slice(5, 8), iso[8]);
  const compact = COMPACT.exec(text);
  if (compact !== null) return dateOf(compact.slice(1, 4), compact.slice(4, 7), compact[7]);
  const dotted = DOTTED.exec(text);
  if (dotted === null) return null;
  return dateOf([dotted[3], dotted[2], dotted[1]], dotted.slice(4, 7), dotted[7]);
}

const WEEKDAY = "(?:[a-z]{3,9},?\\s+)?";
/** RFC 822, RFC 850, `17 May 2024`. */
const DAY_FIRST = new RegExp(
  `^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+([a-z]{3,9})\\.?,?[\\s-]+(\\d{4}|\\d{2})` +
    `(?:,?\\s+(?:at\\s+)?${TIME}${ZONE})?$`,
  "i",
);
/** `May 17, 2024`. */
const MONTH_FIRST = new RegExp(
  `^${WEEKDAY}([a-z]{3,9})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})` +
    `(?:,?\\s+(?:at\\s+)?${TIME}${ZONE})?$`,
  "i",
);
/** asctime: `Fri May 17 10:00:00 2024`. */
const C_TIME = new RegExp(`^[a-z]{3}\\s+([a-z]{3})\\s+(\\d{1,2})\\s+${TIME}\\s+(\\d{4})$`, "i");

function namedDate(text: string): number | null {
  const first = DAY_FIRST.exec(text);
  if (first !== null) {
    return dateOf([fullYear(first[3]), monthOf(first[2]), first[1]], first.slice(4, 7), first[7]);
  }
  const month = MONTH_FIRST.exec(text);
  if (month !== null) {
    return dateOf([month[3], monthOf(month[1]), month[2]], month.slice(4, 7), month[7]);
  }
  const c = C_TIME.exec(text);
  return c === null ? null : dateOf([c[6], monthOf(c[1]), c[2]], c.slice(3, 6), undefined);
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

function monthOf(name: string | undefined): string {
  return String(MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1);
}

/** RFC 822 and RFC 850 write two digits. */
function fullYear(year: string | undefined): string {
  if (year === undefined || year.length === 4) return year ?? "";
  return (Number(year) < 70 ? "20" : "19") + year;
}

type Part = string | undefined;

function dateOf(date: readonly Part[], time: readonly Part[], zone: Part): number | null {
  const [year = 0, month = 0, day = 0] = date.map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  const isTime = hour < 24 && minute < 60 && second <= 60;
  if (!isTime || month < 1 || month > 12 || year < 100) return null;
  const midnight = Date.UTC(year, month - 1, day);
  if (new Date(midnight).getUTCDate() !== day) return null;
  const offset = zone === undefined ? 0 : offsetMinutes(zone);
  return midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000;
}

/** Hours east of Greenwich of the names that RFC 822 and pages use; an unknown name is UTC. */
const ZONES: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  BST: 1,
  MSK: 3,
  JST: 9,
};

function offsetMinutes(zone: string): number {
  const numeric = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (numeric === null) return (ZONES[zone.replace(/[()]/g, "").toUpperCase()] ?? 0) * 60;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
  return numeric[1] === "-" ? -minutes : minutes;
}
