import { readdirSync, readFileSync } from "node:fs";
import type { Config, RegionRead } from "../config.ts";
import { compileGazetteer, type Gazetteer } from "../text/region/gazetteer.ts";
import { checkProfile } from "../text/region/profile.ts";

const SEEDS = new URL("../../seeds/", import.meta.url);

/** The profile of that name in seeds/regions; problems name the file, and its line or field. */
export function readRegion(name: string, seeds: URL = SEEDS): RegionRead {
  const path = `regions/${name}.json`;
  const text = readText(new URL(path, seeds));
  if (text === null) return problem(`there is no seeds/${path}; there are ${known(seeds)}`);
  const parsed = parseJson(text);
  if (parsed.kind === "problem") return problem(`seeds/${path}: ${parsed.problem}`);
  const checked = checkProfile(parsed.value);
  if (checked.kind === "problems") {
    return { kind: "problems", problems: checked.problems.map((each) => `seeds/${path}: ${each}`) };
  }
  if (checked.profile.name !== name) {
    return problem(`seeds/${path}: name: is not that of the file`);
  }
  const categories = JSON.parse(readText(new URL("categories.json", SEEDS)) ?? "{}");
  const { names } = JSON.parse(readText(new URL("places.json", SEEDS)) ?? '{"names":[]}');
  const region = { profile: checked.profile, categories, elsewhere: names };
  return { kind: "region", region };
}

/** Places as queries name them; undefined: there is no region. */
export const gazetteerOf = ({ region }: Pick<Config, "region">): Gazetteer | undefined =>
  region === null ? undefined : compileGazetteer(region);

const problem = (text: string): RegionRead => ({ kind: "problems", problems: [text] });

function readText(file: URL): string | null {
  try {
    // What some editors put in front is no JSON.
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch {
    return null;
  }
}

function known(seeds: URL): string {
  try {
    const files = readdirSync(new URL("regions/", seeds)).filter((file) => file.endsWith(".json"));
    return files.map((file) => file.slice(0, -".json".length)).join(", ") || "none";
  } catch {
    return "none";
  }
}

type Json = { kind: "value"; value: unknown } | { kind: "problem"; problem: string };

function parseJson(text: string): Json {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch (error) {
    const line = lineOfError(text);
    const where = line === null ? "" : `line ${line}: `;
    return { kind: "problem", problem: `${where}${(error as Error).message}` };
  }
}

/** JSON.parse does not say where; a reader of scripts, to whom JSON is an expression, does. */
function lineOfError(text: string): number | null {
  try {
    new Bun.Transpiler({ loader: "js" }).scanImports(`(\n${text})`);
    return null;
  } catch (error) {
    const first = (error as AggregateError).errors?.[0] as BuildMessage | undefined;
    const line = (first ?? (error as BuildMessage)).position?.line;
    return line === undefined ? null : line - 1;
  }
}
