import { readFileSync } from "node:fs";
import { readRegion } from "../../src/cli/region-file.ts";
import { parsePage } from "../../src/parse/page.ts";
import { compileGazetteer, type Gazetteer } from "../../src/text/region/gazetteer.ts";
import { compileProfile, type RegionLexicon } from "../../src/text/region/lexicon.ts";
import { checkProfile, type RegionProfile } from "../../src/text/region/profile.ts";
import type { RegionVerdict } from "../../src/text/region/score.ts";
import { requestOf } from "./parse.ts";

const seeds = new URL("../../seeds/", import.meta.url);

export const CATEGORIES = JSON.parse(readFileSync(new URL("categories.json", seeds), "utf8"));

/** A profile as the program reads it. */
export function profileOf(name: string): RegionProfile {
  const text = readFileSync(new URL(`regions/${name}.json`, seeds), "utf8");
  const result = checkProfile(JSON.parse(text));
  if (result.kind === "problems") throw new Error(result.problems.join("\n"));
  return result.profile;
}

/** Places as queries name them, of that region and elsewhere. */
export function gazetteerOf(name = "quebec"): Gazetteer {
  const read = readRegion(name);
  if (read.kind === "problems") throw new Error(read.problems.join("\n"));
  return compileGazetteer(read.region);
}

export const lexiconOf = (name: string): RegionLexicon =>
  compileProfile(profileOf(name), CATEGORIES);

/** What a parse thread says of a page. */
export async function verdictOf(
  lexicon: RegionLexicon,
  { url, html }: { url: string; html: string },
): Promise<RegionVerdict> {
  const page = await parsePage({ ...requestOf(html), url }, lexicon);
  if (page.kind !== "page" || page.region === null) throw new Error(`no page at ${url}`);
  return page.region;
}

export type Expected = "region" | "between" | "elsewhere";

export interface TablePage {
  readonly expected: Expected;
  readonly url: string;
  readonly what: string;
  readonly html: string;
}

/** A table of pages: before each `=== expected url what it is`. */
export function tableOf(name: string): TablePage[] {
  const file = new URL(`../fixtures/region/${name}.txt`, import.meta.url);
  const [, ...records] = readFileSync(file, "utf8").split(/^=== /m);
  return records.map((record) => {
    const [head = "", ...lines] = record.split("\n");
    const [expected, url = "", ...what] = head.split(" ");
    return { expected: expected as Expected, url, what: what.join(" "), html: lines.join("\n") };
  });
}
