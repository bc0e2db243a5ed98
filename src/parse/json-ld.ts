/** Objects looked at over all scripts of a page. */
const OBJECTS_MAX = 500;
const DEPTH_MAX = 12;

/**
 * Values of `datePublished` in JSON-LD, those of the page itself (an article, a page) before those
 * of other things in it (comments, offers). Scripts that are no JSON are searched as text.
 */
export function datesOfJsonLd(scripts: readonly string[]): string[] {
  const walk: Walk = { objects: 0, own: [], other: [] };
  for (const script of scripts) {
    if (!script.includes("datePublished")) continue;
    const value = parse(script);
    if (value === undefined) walk.other.push(...datesOfText(script));
    else visit(value, walk, 0);
  }
  return [...walk.own, ...walk.other];
}

interface Walk {
  objects: number;
  readonly own: string[];
  readonly other: string[];
}

function parse(script: string): unknown {
  try {
    return JSON.parse(script);
  } catch {
    return undefined;
  }
}

function datesOfText(script: string): string[] {
  const found = script.matchAll(/"datePublished"\s*:\s*"([^"]{4,40})"/g);
  return [...found].slice(0, 1).map((match) => match[1] as string);
}

const OWN_TYPES = /article|posting|report|page$|newscast|book|recipe|event|videoobject/i;

function visit(value: unknown, walk: Walk, depth: number): void {
  if (typeof value !== "object" || value === null || depth > DEPTH_MAX) return;
  if (++walk.objects > OBJECTS_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, OBJECTS_MAX)) visit(item, walk, depth + 1);
    return;
  }
  const record = value as Record<string, unknown>;
  const date = record.datePublished;
  const types = [record["@type"]].flat().join(" ");
  if (typeof date === "string") (OWN_TYPES.test(types) ? walk.own : walk.other).push(date);
  for (const key in record) visit(record[key], walk, depth + 1);
}
