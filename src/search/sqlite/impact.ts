import { FIELDS, type ForwardData } from "../../text/forward-data.ts";
import { FIELD_WEIGHTS, fieldWeight, normOf } from "../score.ts";

/*
 * How much a document is about a term: what score() would give it for that word alone, were the
 * collection one of ordinary pages. Terms of a high impact have tokens by its level, so that the
 * best documents of a word that most have are found without reading all of them.
 */

/** Words of each field of an ordinary page; the collection's own are known only later. */
const ORDINARY: Readonly<Record<(typeof FIELDS)[number], number>> = {
  ...{ title: 8, headings: 20, body: 400, anchors: 8, host: 3, path: 4 },
};
/** The lowest impact of a level, and the step to the next. A word in the title has 2. */
const IMPACT_MIN = 2.25;
const STEP = 0.25;
/** An impact of 7 and more: the word fills title, headings and body. */
export const LEVEL_MAX = 19;

/** Of what a document is about with an impact below all levels. */
const IMPACT_LOW = 1.8;

/** An impact in the middle of a level; -1 is below all of them. */
export const impactAt = (level: number): number =>
  level < 0 ? IMPACT_LOW : IMPACT_MIN + STEP * (level + 0.5);

export interface Impact {
  /** Of the term at that place of the forward data; -1 when it has none. */
  levelOf(place: number): number;
}

export function impactOf(forward: ForwardData, quality: number): Impact {
  const norms = FIELDS.map((field, at) => normOf(forward.length(at), ORDINARY[field]));
  return {
    levelOf(place) {
      if (place < 0) return -1;
      let impact = 0;
      for (let at = 0; at < FIELDS.length; at++) {
        const count = forward.count(place, at);
        if (count > 0) impact += fieldWeight(FIELD_WEIGHTS[FIELDS[at]!], count, norms[at]!);
      }
      const level = Math.floor((impact * quality - IMPACT_MIN) / STEP);
      return Math.min(Math.max(level, -1), LEVEL_MAX);
    },
  };
}
