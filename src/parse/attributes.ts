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
/** Length and first letter tell the names apart, and from most of the others (`class`, `id`). */
const fingerprint = (length: number, first: number) => (length << 5) | (first & 31);
const BY_FINGERPRINT = new Int8Array((LENGTH_MAX + 1) << 5).fill(-1);
NAMES.forEach((name, at) => {
  BY_FINGERPRINT[fingerprint(name.length, name.charCodeAt(0))] = at;
});

/** Slot of the attribute whose name stands at `start` to `end` of `html`; -1: not one of ours. */
export function attributeOf(html: string, start: number, end: number): number {
  const length = end - start;
  if (length > LENGTH_MAX) return -1;
  const slot = BY_FINGERPRINT[fingerprint(length, html.charCodeAt(start))]!;
  if (slot < 0) return -1;
  const name = NAMES[slot]!;
  for (let at = 0; at < length; at++) {
    const code = html.charCodeAt(start + at);
    const lower = code >= 65 && code <= 90 ? code | 32 : code;
    if (lower !== name.charCodeAt(at)) return -1;
  }
  return slot;
}

/** Attributes as bits of a number. */
export const attributeBits = (names: readonly AttributeName[]): number =>
  names.reduce((bits, name) => bits | (1 << Attribute[name]), 0);

/** Value of an attribute, null when the tag has none. */
export function valueIn(values: Values, name: AttributeName): string | null {
  return values[Attribute[name]] ?? null;
}
