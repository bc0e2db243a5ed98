import { describe, expect, test } from "bun:test";
import { detectLanguage, languageOf, primarySubtag } from "../../src/parse/language.ts";
import { loadLanguageModel } from "../../src/parse/language-model.ts";

const TEXTS: Record<string, string> = {
  en: "The council met on Tuesday evening about the new bridge, which should open next year.",
  fr: "Le conseil s'est réuni mardi soir pour discuter du nouveau pont, qui ouvrira l'an prochain.",
  pt: "A câmara reuniu-se à noite para discutir a nova ponte, que deverá abrir no próximo ano.",
  es: "El ayuntamiento se reunió para hablar del nuevo puente, que abrirá el año próximo.",
  de: "Der Gemeinderat sprach am Dienstag über die neue Brücke, die nächstes Jahr öffnen soll.",
  ru: "Городской совет обсудил новый мост через реку, который откроется в следующем году.",
  uk: "Міська рада обговорила новий міст через річку, який відкриють наступного року.",
  ar: "اجتمع المجلس البلدي مساء الثلاثاء لمناقشة الجسر الجديد فوق النهر الذي سيفتتح العام المقبل",
  ja: "市議会は火曜日の夜に開かれ、来年開通する予定の川に架かる新しい橋について話し合いました。",
  zh: "市议会星期二晚上开会讨论明年将要开通的河上新桥的问题，工程已经推迟了很久。",
  ko: "시의회는 화요일 저녁에 모여 내년에 개통될 예정인 강 위의 새 다리에 대해 논의했다.",
  el: "Το δημοτικό συμβούλιο συνεδρίασε την Τρίτη το βράδυ για τη νέα γέφυρα πάνω από το ποτάμι.",
};

const MORE = "Several people who live close to the old one had asked for it to be built.";

const said = (html: string | null) => ({ html, header: null, meta: null, locale: null });

describe("the detector", () => {
  for (const [lang, text] of Object.entries(TEXTS)) {
    test(lang, async () => {
      const heard = detectLanguage(await loadLanguageModel(), text);
      expect(heard).toMatchObject({ lang, isReliable: true });
    });
  }

  test("is not sure of what is no language", async () => {
    const model = await loadLanguageModel();
    for (const text of ["", "12 34 56", "ok", "zq1x7 qwrt zzkx pfff xxv"]) {
      expect(detectLanguage(model, text)?.isReliable ?? false).toBe(false);
    }
  });
});

describe("what a page says, and what it is in", () => {
  const { en = "", fr = "", pt = "", zh = "" } = TEXTS;
  const cases: [string | null, string, string | null, string][] = [
    ["fr-CA", fr, "fr", "both agree"],
    ["en", fr.repeat(2), "fr", "a template's lang is not the text's"],
    [null, fr, "fr", "nothing said"],
    ["", pt, "pt", "an empty attribute"],
    ["en", "Oui, non", "en", "too short to contradict"],
    ["fr", "", "fr", "no text"],
    [null, "", null, "nothing at all"],
    ["gl", pt.repeat(2), "gl", "a language that the model does not know"],
    ["nb-NO", `${en} ${MORE}`, "en", "nor is Norwegian English"],
    ["xyz123", en, "en", "no tag"],
    ["zh-Hant", zh, "zh", "a script subtag"],
  ];
  for (const [html, text, expected, why] of cases) {
    test(why, async () => expect(await languageOf(said(html), text)).toBe(expected));
  }

  test("the most specific saying first", async () => {
    const all = { html: null, header: "fr", meta: "de", locale: "es_ES" };
    expect(await languageOf(all, "")).toBe("fr");
    expect(await languageOf({ ...all, html: "pt-BR" }, "")).toBe("pt");
    expect(await languageOf({ ...all, header: null, meta: null }, "")).toBe("es");
  });

  test("tags", () => {
    const tags: [string | null, string | null][] = [
      ["FR_ca", "fr"],
      ["nb", "no"],
      ["iw", "he"],
      ["en, fr", "en"],
      ["und", null],
      ["english", null],
      ["*", null],
      [null, null],
    ];
    for (const [tag, expected] of tags) expect(primarySubtag(tag)).toBe(expected);
  });
});
