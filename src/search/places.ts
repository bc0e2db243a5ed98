import { hashText } from "../text/hash.ts";
import { type Gazetteer, type NamedPlaces, placesNamed } from "../text/region/gazetteer.ts";
import { foldName } from "../text/region/letters.ts";
import type { Candidate } from "./document.ts";
import { readLexemes } from "./lexemes.ts";

/** What a query says of places, in numbers: made once, compared with every candidate. */
export interface QueryPlaces {
  /** Places of the region, and how surely each is meant, up to 1. */
  readonly near: readonly { readonly hash: number; readonly weight: number }[];
  /** The reader chose the whole region. */
  readonly isRegion: boolean;
  /** It names a place elsewhere, and surely none of the region. */
  readonly isElsewhere: boolean;
}

/** Names that stand elsewhere too say less than this. */
const SURE = 0.5;

/** Of a query, and of the place that the reader chose; nothing where there is no region. */
export function placesOf(
  gazetteer: Gazetteer | undefined,
  query: string,
  chosen: string | undefined,
): { places?: QueryPlaces; named?: NamedPlaces } {
  if (gazetteer === undefined) return {};
  const named = placesNamed(gazetteer, wishedIn(query));
  const place = chosen === undefined ? "" : foldName(chosen);
  const isRegion = gazetteer.region.has(place);
  const near = named.near.map(({ written, weight }) => ({ hash: hashOf(written), weight }));
  if (place !== "" && !isRegion) {
    near.push({ hash: hashOf(gazetteer.places.get(place)?.written ?? place), weight: 1 });
  }
  const hasNamed = named.near.length + named.elsewhere.length > 0;
  if (!hasNamed && place === "") return {};
  const isSure = named.near.some(({ weight }) => weight >= SURE);
  const places = { near, isRegion, isElsewhere: named.elsewhere.length > 0 && !isSure };
  return hasNamed ? { places, named } : { places };
}

/** The words of a query that are not to be left out. */
function wishedIn(query: string): string {
  const texts: string[] = [];
  for (const lexeme of readLexemes(query)) {
    if ("text" in lexeme && !lexeme.isExcluded) texts.push(lexeme.text);
  }
  return texts.join(" ");
}

/** Candidates are asked which places they name. */
export const asksForPlaces = (places: QueryPlaces | undefined): boolean =>
  places !== undefined && places.near.length > 0;

const BYTES = 4;

/** Names of places as an index stores them: hashes of their folded words, in their order. */
export function packPlaces(names: readonly string[]): Uint8Array | null {
  if (names.length === 0) return null;
  const bytes = new Uint8Array(names.length * BYTES);
  const view = new DataView(bytes.buffer);
  for (const [at, name] of names.entries()) view.setUint32(at * BYTES, hashOf(name), true);
  return bytes;
}

const hashOf = (name: string): number => hashText(foldName(name));

/** The first places that a page names are what it is about; a later one counts half at least. */
const LATER = 0.05;
const LEAST = 0.5;

/** How far a page is of the place that is asked for, 0..1; null: none is, or it names none. */
export function locality(places: QueryPlaces | undefined, page: LocatedPage): number | null {
  if (places === undefined) return null;
  const whole = places.isRegion ? page.regionScore : null;
  if (page.locations === null || places.near.length === 0) return whole;
  let best = whole ?? 0;
  const { buffer, byteOffset, byteLength } = page.locations;
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; (at + 1) * BYTES <= byteLength; at++) {
    const hash = view.getUint32(at * BYTES, true);
    for (const own of places.near) {
      if (own.hash === hash) best = Math.max(best, own.weight * Math.max(LEAST, 1 - at * LATER));
    }
  }
  return best;
}

type LocatedPage = Pick<Candidate, "locations" | "regionScore">;
