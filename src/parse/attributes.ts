/** The attributes that a page is read for; any other is passed over without being cut out. */
const NAMES = [
  "href",
  "rel",
  "name",
  "property",
  "itemprop",
  "http-equiv",
  "content",
  "lang",
  "xml:lang",
  "datetime",
  "pubdate",
  "type",
  "src",
  "hidden",
  "style",
  "role",
  "hreflang",
] as const;

export type AttributeName = (typeof NAMES)[number];

/** Slot of each attribute in the values of a tag. */
export const Attribute = Object.fromEntries(NAMES.map((name, at) => [name, at])) as Record<
  AttributeName,
  number
>;

export const ATTRIBUTE_COUNT = NAMES.length;

/** Values of one tag by slot; null: the tag does not have the attribute. */
export type Values = readonly (string | null)[];

const LENGTH_MAX = Math.max(...NAMES.map((name) => name.length));
const BY_NAME = new Map<string, number>(NAMES.map((name, at) => [name, at]));

/** Length and first letter tell most of the others apart (`class`, `id`, `data-…`). */
const fingerprint = (length: number, first: number) => (length << 5) | (first & 31);
const FINGERPRINTS = new Uint8Array((LENGTH_MAX + 1) << 5);
for (const name of NAMES) FINGERPRINTS[fingerprint(name.length, name.charCodeAt(0))] = 1;

/** Slot of the attribute whose name stands at `start` to `end` of `html`; -1: not one of ours. */
export function attributeOf(html: string, start: number, end: number): number {
  const length = end - start;
  if (length > LENGTH_MAX) return -1;
  if (FINGERPRINTS[fingerprint(length, html.charCodeAt(start))] === 0) return -1;
  return BY_NAME.get(html.slice(start, end).toLowerCase()) ?? -1;
}

/** Value of an attribute, null when the tag has none. */
export function valueIn(values: Values, name: AttributeName): string | null {
  return values[Attribute[name]] ?? null;
}
