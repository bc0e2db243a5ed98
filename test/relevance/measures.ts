/** What is said of an order of results, each from 0 to 1. */
export interface Measures {
  readonly ndcg10: number;
  readonly map: number;
  readonly mrr: number;
  readonly recall100: number;
}

/** Of one question: ids in their order, and those that answer it. */
export function measure(ranked: readonly number[], answers: ReadonlySet<number>): Measures {
  const hits = ranked.map((id) => answers.has(id));
  let found = 0;
  let precisions = 0;
  for (const [at, isHit] of hits.entries()) {
    if (!isHit) continue;
    found++;
    precisions += found / (at + 1);
  }
  const first = hits.indexOf(true);
  return {
    ndcg10: gain(hits) / gain(Array.from({ length: answers.size }, () => true)),
    map: precisions / answers.size,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall100: hits.slice(0, 100).filter(Boolean).length / answers.size,
  };
}

const gain = (hits: readonly boolean[]): number =>
  hits.slice(0, 10).reduce((sum, isHit, at) => sum + (isHit ? 1 / Math.log2(at + 2) : 0), 0);

export function meanOf(all: readonly Measures[]): Measures {
  const mean = (name: keyof Measures) =>
    all.reduce((sum, each) => sum + each[name], 0) / Math.max(1, all.length);
  return {
    ndcg10: mean("ndcg10"),
    map: mean("map"),
    mrr: mean("mrr"),
    recall100: mean("recall100"),
  };
}
