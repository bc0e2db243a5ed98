/** Why results of a site come earlier, later or not at all. */
export interface HostRuleWords {
  reader: string;
  raised: string;
  lowered: string;
  /** Blocked by the reader, and nobody counted how many. */
  hiddenSome: string;
}

export const hostRules: Readonly<Record<"en" | "fr" | "pt" | "ru", HostRuleWords>> = {
  en: {
    reader: "you put this site first",
    raised: "the operator raised this site",
    lowered: "the operator lowered this site",
    hiddenSome: "Results of sites that you chose not to see are left out.",
  },
  fr: {
    reader: "vous avez mis ce site en premier",
    raised: "l’exploitant a relevé ce site",
    lowered: "l’exploitant a abaissé ce site",
    hiddenSome: "Les résultats des sites que vous avez écartés ne sont pas montrés.",
  },
  pt: {
    reader: "você pôs este site primeiro",
    raised: "o operador subiu este site",
    lowered: "o operador desceu este site",
    hiddenSome: "Os resultados dos sites que não quis ver ficam de fora.",
  },
  ru: {
    reader: "вы поставили этот сайт первым",
    raised: "владелец поднял этот сайт",
    lowered: "владелец опустил этот сайт",
    hiddenSome: "Результаты с сайтов, которые вы не хотите видеть, не показаны.",
  },
};
