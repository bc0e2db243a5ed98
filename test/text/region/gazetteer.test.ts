import { describe, expect, test } from "bun:test";
import { compileGazetteer, placesNamed } from "../../../src/text/region/gazetteer.ts";
import { gazetteerOf, profileOf } from "../../support/regions.ts";

const quebec = gazetteerOf("quebec");

function named(text: string, gazetteer = quebec): string {
  const { near, elsewhere } = placesNamed(gazetteer, text);
  const parts = near.map(({ written, weight }) => `${written} ${weight}`);
  return [...parts, ...elsewhere.map((written) => `-${written}`)].join(", ");
}

describe("places in a query", () => {
  test.each([
    ["piscine saguenay", "Saguenay 1", "in small letters"],
    ["PISCINE SAGUENAY", "Saguenay 1", "in capitals"],
    ["emploi quebec", "Québec 0.8", "without accents"],
    ["bibliothèque trois rivieres", "Trois-Rivières 0.7", "without hyphens"],
    ["garage St-Hyacinthe", "Saint-Hyacinthe 0.7", "shortened"],
    ["météo à l'Assomption", "L'Assomption 1", "with a small article and a capital"],
    ["hôtel d’Alma", "Alma 0.25", "a name that stands elsewhere too says less"],
    ["rivière du loup", "Rivière-du-Loup 1", "the longest of names within each other"],
    ["musées de Paris", "-Paris", "elsewhere"],
    ["vol montréal paris", "Montréal 0.8, -Paris", "both"],
    ["hotel los angeles", "-Los Angeles", "elsewhere, of two words"],
    ["погода в Москва", "-Москва", "in other letters"],
    ["horaire de piscine", "", "none"],
    ["", "", "nothing"],
    ["réunion du conseil, recette au sucre, chili", "", "words that are names elsewhere"],
  ])("%j names %j: %s", (text, expected) => {
    expect(named(text)).toBe(expected);
  });

  test("a short name with an article is rather what else it means, unless written as a name", () => {
    const source = {
      profile: { ...profileOf("quebec"), signals: [placesOf(1, ["La Pêche", "L'Avenir"])] },
      categories: {},
      elsewhere: [],
    };
    const own = compileGazetteer(source);
    expect(named("la pêche à la ligne", own)).toBe("La Pêche 0.2");
    expect(named("changer l'avenir", own)).toBe("L'Avenir 0.2");
    expect(named("camping La Pêche", own)).toBe("La Pêche 1");
  });

  test("what is of the region is not elsewhere, though it stands in the list of large places", () => {
    const [kept, elsewhere] = ["Rennes", "Paris"];
    const source = {
      profile: { ...profileOf("bretagne"), signals: [placesOf(0.25, [kept!])] },
      categories: {},
      elsewhere: [kept!, elsewhere!],
    };
    expect(named("de rennes à paris", compileGazetteer(source))).toBe("Rennes 0.25, -Paris");
    expect(named("fest-noz quimper", gazetteerOf("bretagne"))).toContain("Quimper");
    expect(named("praias vigo lisboa", gazetteerOf("galicia"))).toContain("-Lisboa");
  });

  test("a query of many words takes no time", () => {
    const text = "saint jean de la rivière du loup ".repeat(150).slice(0, 1_000);
    const began = performance.now();
    for (let n = 0; n < 100; n++) placesNamed(quebec, text);
    expect((performance.now() - began) / 100).toBeLessThan(5);
  });
});

const placesOf = (weight: number, values: string[]) => ({ kind: "place" as const, weight, values });
