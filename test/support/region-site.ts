import { readFileSync } from "node:fs";

/** The made site of fixtures/region/quebec-search.txt, and what it is asked. */
export interface RegionSite {
  readonly pages: readonly { readonly url: string; readonly html: string }[];
  /** Query, and the page that must come first; by what it asks for. */
  readonly asks: Readonly<Record<AsksFor, readonly (readonly [query: string, url: string])[]>>;
}

type AsksFor = "region" | "open" | "elsewhere";

interface Owner {
  readonly lang: string;
  readonly host: string;
  /** What stands at the foot of each of its pages. */
  readonly foot: string;
}

const FILE = new URL("../fixtures/region/quebec-search.txt", import.meta.url);

export function regionSite(): RegionSite {
  const owners = new Map<string, Owner>();
  const pages: { url: string; html: string }[] = [];
  const asks: Record<AsksFor, [string, string][]> = { region: [], open: [], elsewhere: [] };
  const urlOf = (owner: string, path: string) => `https://${owners.get(owner)!.host}${path}`;
  for (const line of readFileSync(FILE, "utf8").split("\n")) {
    const [kind, ...fields] = line.split(" | ");
    const [first = "", second = "", third = "", fourth = ""] = fields;
    if (kind === "owner") owners.set(first, { lang: second, host: third, foot: fourth });
    if (kind === "ask") asks[first as AsksFor].push([second, urlOf(third, fourth)]);
    if (kind !== "page") continue;
    for (const owner of first.split(" ")) {
      const html = htmlOf(owners.get(owner)!, third, fourth);
      pages.push({ url: urlOf(owner, second), html });
    }
  }
  return { pages, asks };
}

/** Words that fill pages without telling them apart. */
const FILLER = {
  fr: "Merci de votre visite sur cette page. Écrivez pour toute question, la réponse vient vite.",
  en: "Thank you for your visit to this page. Write with any question, the answer comes soon.",
} as const;

function htmlOf({ lang, foot }: Owner, title: string, text: string): string {
  const filler = FILLER[lang.startsWith("fr") ? "fr" : "en"];
  const main = `<main><h1>${title}</h1><p>${text}</p><p>${filler}</p></main>`;
  const body = `${main}<footer><p>${foot}</p></footer>`;
  return `<!doctype html><html lang="${lang}"><title>${title}</title><body>${body}</body></html>`;
}
