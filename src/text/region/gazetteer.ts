import { foldName } from "./letters.ts";
import type { RegionSource } from "./source.ts";

interface Place {
  /** As pages are said to name it. */
  readonly written: string;
  /** How surely who writes the name means the place, up to 1; 0: it lies elsewhere. */
  readonly weight: number;
}

/** Names of places by their folded words: those of the region, and large ones elsewhere. */
export interface Gazetteer {
  /** Folded: what the region itself is called. */
  readonly region: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, Place>;
  /** Of the longest name. */
  readonly wordsMax: number;
}

/** What a text names. */
export interface NamedPlaces {
  readonly near: readonly Place[];
  readonly elsewhere: readonly string[];
}

/** A name as short as `La Pêche` is rather what else it means, unless it is written as a name. */
const ARTICLE = /^(?:las?|les?|los|l|os?|as?|el) \S+$/;
const ARTICLE_WEIGHT = 0.2;
const WORDS_MAX = 8;

/** A name that stands for a place of the region and for one elsewhere is taken for the region's. */
export function compileGazetteer({ profile, elsewhere }: RegionSource): Gazetteer {
  const places = new Map<string, Place>();
  const signals = profile.signals.filter(({ kind }) => kind === "place");
  for (const written of elsewhere) places.set(foldName(written), { written, weight: 0 });
  for (const { weight, values } of signals) {
    if (weight > 0) continue;
    for (const written of values) places.set(foldName(written), { written, weight: 0 });
  }
  for (const { weight, values } of signals) {
    if (weight <= 0) continue;
    for (const written of values) {
      const place = { written, weight: Math.min(weight, 1) };
      const folded = foldName(written);
      places.set(folded, place);
      places.set(folded.replace(/\bsaint\b/g, "st").replace(/\bsainte\b/g, "ste"), place);
    }
  }
  places.delete("");
  const words = [...places.keys()].map((name) => name.split(" ").length);
  return {
    region: new Set([foldName(profile.title), foldName(profile.name)]),
    places,
    wordsMax: Math.min(Math.max(1, ...words), WORDS_MAX),
  };
}

const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/u;

/** Of names within each other the longest: who asks for Mont-Royal does not ask for Royal. */
export function placesNamed({ places, wordsMax }: Gazetteer, text: string): NamedPlaces {
  const words = text.split(NOT_WORD).filter((word) => foldName(word) !== "");
  const folded = words.map(foldName);
  const near = new Map<string, Place>();
  const elsewhere = new Set<string>();
  for (let at = 0; at < words.length; ) {
    let count = Math.min(wordsMax, words.length - at);
    let place: Place | undefined;
    for (; count > 0; count--) {
      place = places.get(folded.slice(at, at + count).join(" "));
      if (place !== undefined) break;
    }
    if (place !== undefined) {
      if (place.weight === 0) elsewhere.add(place.written);
      else near.set(place.written, weighed(place, words[at + count - 1]!));
    }
    at += Math.max(count, 1);
  }
  return { near: [...near.values()], elsewhere: [...elsewhere] };
}

function weighed(place: Place, lastWord: string): Place {
  const isName = /^\p{Lu}/u.test(lastWord);
  if (isName || !ARTICLE.test(foldName(place.written))) return place;
  return { ...place, weight: Math.min(place.weight, ARTICLE_WEIGHT) };
}
