/** Measures of a ranking against judgements of relevant or not (TREC's binary qrels). */

export interface Judged {
  /** Ids as ranked, the best first, each once. */
  ranking: readonly string[];
  relevant: ReadonlySet<string>;
}

export interface Measures {
  /** Discounted cumulative gain of the first ten over the best (Järvelin, Kekäläinen 2002). */
  ndcg10: number;
  /** Mean over the relevant ones of the precision where each stands; 0 for one not found. */
  averagePrecision: number;
  /** 1 / place of the first relevant one, 0 for none. */
  reciprocalRank: number;
  /** Part of the relevant ones among the first hundred. */
  recall100: number;
}

export function measure({ ranking, relevant }: Judged): Measures {
  let gain = 0;
  let precisions = 0;
  let found = 0;
  for (const [at, id] of ranking.entries()) {
    if (!relevant.has(id)) continue;
    found++;
    precisions += found / (at + 1);
    if (at < 10) gain += discount(at);
  }
  let best = 0;
  for (let at = 0; at < Math.min(10, relevant.size); at++) best += discount(at);
  const first = ranking.findIndex((id) => relevant.has(id));
  const early = ranking.slice(0, 100).filter((id) => relevant.has(id)).length;
  return {
    ndcg10: best === 0 ? 0 : gain / best,
    averagePrecision: relevant.size === 0 ? 0 : precisions / relevant.size,
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    recall100: relevant.size === 0 ? 0 : early / relevant.size,
  };
}

const discount = (at: number): number => 1 / Math.log2(at + 2);

export function mean(all: readonly Measures[]): Measures {
  const of = (name: keyof Measures) =>
    all.reduce((sum, own) => sum + own[name], 0) / Math.max(1, all.length);
  return {
    ndcg10: of("ndcg10"),
    averagePrecision: of("averagePrecision"),
    reciprocalRank: of("reciprocalRank"),
    recall100: of("recall100"),
  };
}
