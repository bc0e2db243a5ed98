import { parseDate } from "./dates.ts";
import type { PageDirectives } from "./parsed.ts";

export interface DirectiveSayings {
  /** Content of each `<meta name=robots>` and `<meta name=TOKEN>`. */
  metas: readonly string[];
  /** Values of each X-Robots-Tag line. */
  headers: readonly string[];
  /** `tdm-reservation` of the header and of the page. */
  reservations: readonly (string | null)[];
  /** Lower-case product token: which bot-scoped header lines are ours. */
  robotsToken: string;
}

/** What a page forbids, all its sayings taken together: the most restrictive holds. */
export function parseDirectives(sayings: DirectiveSayings): PageDirectives {
  const directives: PageDirectives = {
    noindex: false,
    nofollow: false,
    noarchive: false,
    noai: sayings.reservations.some((value) => value?.trim() === "1"),
    unavailableAfter: null,
  };
  for (const meta of sayings.metas) apply(directives, meta, null);
  for (const header of sayings.headers) apply(directives, header, sayings.robotsToken);
  return directives;
}

/** Directives whose value stands behind a colon, as the name of a bot would. */
const VALUED = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;
const SAYING_CHARS_MAX = 4_096;

/**
 * One comma-separated list. In a header `name:` scopes what follows it to that bot; a meta has
 * no scopes (`token` is null). Dates hold commas: `unavailable_after` takes all up to a known word.
 */
function apply(directives: PageDirectives, saying: string, token: string | null): void {
  let isOurs = true;
  const parts = saying.slice(0, SAYING_CHARS_MAX).split(",");
  for (let at = 0; at < parts.length; at++) {
    let part = (parts[at] as string).trim().toLowerCase();
    const scoped = /^([^\s:,]+)\s*:\s*/.exec(part);
    if (scoped !== null && !VALUED.test(scoped[1] as string)) {
      isOurs = token === null || scoped[1] === token || scoped[1] === "robots";
      part = part.slice(scoped[0].length);
    }
    if (!isOurs) continue;
    if (part.startsWith("unavailable_after")) noteUnavailable(directives, parts, at);
    else for (const word of part.split(/[\s;]+/)) applyWord(directives, word);
  }
}

function applyWord(directives: PageDirectives, word: string): void {
  if (word === "noindex" || word === "none") directives.noindex = true;
  if (word === "nofollow" || word === "none") directives.nofollow = true;
  if (word === "noarchive") directives.noarchive = true;
  if (word === "noai" || word === "noimageai") directives.noai = true;
}

/** A date may reach over a comma (`Wed, 03 Jul 2030 …`): the longest that reads counts. */
function noteUnavailable(directives: PageDirectives, parts: readonly string[], at: number): void {
  const colon = (parts[at] as string).search(/unavailable_after/i) + "unavailable_after".length;
  const start = (parts[at] as string).slice(colon).replace(/^\s*:\s*/, "");
  for (const text of [[start, ...parts.slice(at + 1, at + 2)].join(","), start]) {
    const date = parseDate(text);
    if (date === null) continue;
    const iso = new Date(date).toISOString();
    const known = directives.unavailableAfter;
    directives.unavailableAfter = known === null || iso < known ? iso : known;
    return;
  }
}
