/** Why results of a site come earlier, later or not at all. */
export interface HostRuleWords {
  reader: string;
  raised: string;
  lowered: string;
  /** Blocked by the reader, and nobody counted how many. */
  hiddenSome: string;
}

/** Whose rule it is that a site comes earlier or later; null: there is none. */
export function ruleSaid(value: number, isReaders: boolean, rules: HostRuleWords): string | null {
  if (isReaders) return rules.reader;
  if (value === 1) return null;
  return value > 1 ? rules.raised : rules.lowered;
}

export const hostRules: Readonly<Record<"en" | "fr" | "pt" | "ru", HostRuleWords>> = {
  en: {
    reader: "you put this site first",
    raised: "the operator raised this site",
    lowered: "the operator lowered this site",
    hiddenSome: "Results of sites that you chose not to see are left out.",
  },
  fr: {
    reader: "vous avez placé ce site en tête",
    raised: "l’exploitant fait remonter ce site",
    lowered: "l’exploitant fait descendre ce site",
    hiddenSome: "Les résultats des sites que vous avez écartés ne sont pas montrés.",
  },
  pt: {
    reader: "pôs este site em primeiro lugar",
    raised: "o operador faz subir este site",
    lowered: "o operador faz descer este site",
    hiddenSome: "Os resultados dos sites que não quis ver ficam de fora.",
  },
  ru: {
    reader: "вы поставили этот сайт первым",
    raised: "владелец повысил этот сайт в выдаче",
    lowered: "владелец понизил этот сайт в выдаче",
    hiddenSome: "Результаты с сайтов, которые вы не хотите видеть, не показаны.",
  },
};
