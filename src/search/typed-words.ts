import type { ParsedQuery } from "./query.ts";

/** Words that must be there as they are typed: quoted ones, and those of a title. */
export function typedWords({ required }: ParsedQuery): Set<string> {
  return new Set([...required.phrases.flat(2), ...required.inTitle.map(({ surface }) => surface)]);
}
