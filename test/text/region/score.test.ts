import { describe, expect, test } from "bun:test";
import { type RegionVerdict, scoreRegion } from "../../../src/text/region/score.ts";
import { lexiconOf } from "../../support/regions.ts";

const quebec = lexiconOf("quebec");

interface Given {
  text?: string | string[];
  title?: string;
  host?: string;
  lang?: string;
  tags?: string[];
}

function verdict(given: Given, lexicon = quebec): RegionVerdict {
  const texts = [given.text ?? []].flat();
  return scoreRegion(lexicon, {
    host: given.host ?? "site.example",
    title: given.title ?? "",
    lang: given.lang ?? null,
    tags: given.tags ?? [],
    blocks: texts.map((text) => ({ text, region: 0 })),
    headings: 1,
  });
}

const matched = (given: Given): string[] =>
  verdict(given).signals.map(({ kind, matched }) => `${kind} ${matched}`);

describe("what counts", () => {
  test.each<[string, Given, string[]]>([
    ["postal code", { text: "G1R 4S9" }, ["postal G1R 4S9"]],
    ["without space", { text: "H2X1Y4" }, ["postal H2X1Y4"]],
    ["of Ontario", { text: "K1A 0B1" }, ["postal K1A 0B1"]],
    ["of nowhere", { text: "g1r 4s9 Z1A 1A1" }, []],
    ["phone", { text: "Tél. 418-555-1234" }, ["phone 418-555-1234"]],
    ["with brackets", { text: "(514) 555 1234" }, ["phone 514) 555 1234"]],
    ["with country", { text: "+1.450.555.1234" }, ["phone 1.450.555.1234"]],
    ["behind other digits", { text: "bureau 218 514 555-1234" }, ["phone 514 555-1234"]],
    ["no phone: too long", { text: "418-555-12345" }, []],
    ["no phone: a list of codes", { text: "418, 438, 450, 514" }, []],
    ["a code of digits is one before a name", { text: "35000 Redon" }, ["postal 35000"]],
    ["and not elsewhere", { text: "35000 litres" }, []],
    ["a place by its accents or without", { text: "A CHATEAUGUAY" }, ["place Châteauguay"]],
    ["decomposed", { text: "Rivie\u0300re-du-Loup" }, ["place Rivière-du-Loup"]],
    ["abbreviated", { text: "à St-Jérôme" }, ["place Saint-Jérôme"]],
    ["a place needs its capital", { text: "la prairie, rimouski" }, []],
    ["whole words alone", { text: "Rimouskien Matanex" }, []],
    ["the longest", { text: "Mont-Saint-Hilaire" }, ["place Mont-Saint-Hilaire"]],
    ["an acronym in capitals", { text: "la SAAQ" }, ["institution SAAQ"]],
    ["not as a word", { text: "Saaq" }, []],
    ["suffix", { host: "a.b.qc.ca" }, ["suffix .qc.ca"]],
    ["no suffix", { host: "notqc.example" }, []],
    ["language", { tags: ["fr_CA"], lang: "fr" }, ["language fr-ca"]],
    ["a tag that the text contradicts", { tags: ["en-US"], lang: "fr" }, ["language fr"]],
  ])("%s", (_, given, expected) => {
    expect(matched(given)).toEqual(expected);
  });
});

describe("how much", () => {
  test("a mention stays low, however often the page says it", () => {
    expect(verdict({ text: "Québec ".repeat(500), lang: "fr" }).score).toBeLessThan(0.5);
  });

  test("the suffix is enough, no other kind of evidence is", () => {
    expect(verdict({ host: "ville.qc.ca" }).score).toBeGreaterThan(0.6);
    const numbers = Array.from({ length: 300 }, (_, at) => `418 555-${1000 + at}`).join(", ");
    expect(verdict({ text: numbers }).score).toBeLessThan(0.5);
    expect(verdict({ text: "Rimouski, Matane, Gaspé, Amqui" }).score).toBeLessThan(0.5);
  });

  test("a name that stands elsewhere too weighs little, a title more than a line", () => {
    const laval = verdict({ text: "Laval" }).score;
    const rimouski = verdict({ text: "Rimouski" }).score;
    expect(rimouski).toBeGreaterThan(laval);
    expect(verdict({ title: "Rimouski", text: "Rimouski" }).score).toBeGreaterThan(rimouski);
  });

  test("density counts: the same mentions in a longer text weigh less", () => {
    const short = verdict({ text: "Matane et Gaspé" }).score;
    expect(verdict({ text: `Matane et Gaspé ${"mot ".repeat(2000)}` }).score).toBeLessThan(short);
  });
});

describe("the explanation", () => {
  const text = ["Rimouski G5L 1A6, 418 555-0109", "Ottawa, Paris", "cégep, SAAQ, Matane"];
  const said = verdict({ text, title: "Gaspé", lang: "fr", host: "x.ca" });

  test("its points make the score", () => {
    const points = said.signals.reduce((sum, signal) => sum + signal.points, 0);
    expect(1 / (1 + Math.exp(1.1 * (3 - points)))).toBeCloseTo(said.score, 2);
  });

  test("tells places, the most telling first, and none of elsewhere", () => {
    expect(said.locations).toEqual(["Gaspé", "Rimouski", "Matane"]);
  });

  test("is bounded, and the sum stays", () => {
    const places = quebec.names.flat().filter((name) => name.kind === "place" && name.weight > 0);
    const many = verdict({ text: places.map(({ written }) => written).join(", ") });
    expect(many.signals.length).toBeLessThanOrEqual(25);
    expect(many.locations.length).toBe(20);
    const points = many.signals.reduce((sum, signal) => sum + signal.points, 0);
    expect(1 / (1 + Math.exp(1.1 * (3 - points)))).toBeCloseTo(many.score, 2);
  });

  test("is the same each time", () => {
    expect(verdict({ text, title: "Gaspé", lang: "fr", host: "x.ca" })).toEqual(said);
  });

  test("category", () => {
    expect(verdict({ title: "Menu du restaurant" }).category).toBe("food");
    expect(verdict({ text: "Hospital, clinic, nurse, patients" }).category).toBe("health");
    expect(verdict({ text: "Rien de particulier" }).category).toBeNull();
  });
});

test("grows with the text, not faster: hostile texts of a million characters", () => {
  for (const piece of ["418 ", "Saint-", "G1R ", "Rivière-du-", "4", "St. ", "Qué\u0301\u0301"]) {
    const times = [250_000, 1_000_000].map((size) => {
      const text = piece.repeat(size / piece.length);
      const from = performance.now();
      verdict({ text });
      return performance.now() - from;
    });
    expect(times[1]!, piece).toBeLessThan(Math.max(400, times[0]! * 12));
  }
});

describe("other regions", () => {
  const bretagne = lexiconOf("bretagne");
  const galicia = lexiconOf("galicia");
  const rennes = {
    text: "Mairie de Rennes, 35000 Rennes, 02 99 55 01 27",
    lang: "fr",
    host: "x.fr",
  };
  const quimper = { text: "Kemper, Breizh", lang: "br", host: "x.bzh" };
  const lyon = { text: "Mairie de Lyon, 69001 Lyon, 04 72 55 01 27", lang: "fr", host: "x.fr" };
  const vigo = { text: "Concello de Vigo, 36202 Vigo, 986 55 01 22", lang: "gl", host: "x.es" };
  const madrid = { text: "Ayuntamiento, 28001 Madrid, 915550122", lang: "es", host: "x.es" };

  test("Bretagne", () => {
    expect(verdict(rennes, bretagne).score).toBeGreaterThan(0.6);
    expect(verdict(quimper, bretagne).score).toBeGreaterThan(0.6);
    expect(verdict(lyon, bretagne).score).toBeLessThan(0.3);
  });

  test("Galicia", () => {
    expect(verdict(vigo, galicia).score).toBeGreaterThan(0.6);
    expect(verdict(madrid, galicia).score).toBeLessThan(0.3);
    expect(verdict(rennes, galicia).score).toBeLessThan(0.3);
  });
});
