import { describe, expect, test } from "bun:test";
import { publicFamilies } from "../../src/http/public.ts";
import { htmlOf, texts } from "../support/html.ts";
import { publicDeps, publicSite } from "../support/public-site.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";

const FRENCH = { "accept-language": "fr-FR, en;q=0.5" };
const wholeApp = () => startApp(createFake(), publicFamilies(publicDeps()));

describe("the language of a page that says why there is no other", () => {
  test.each([
    ["en", "Not found", "To the search page"],
    ["fr", "Introuvable", "Vers la page de recherche"],
    ["pt", "Não encontrado", "Para a página de pesquisa"],
    ["ru", "Не найдено", "К странице поиска"],
  ])("is the reader's: %s", async (lang, title, back) => {
    const server = publicSite();
    const byCookie = { cookie: `trawl_lang=${lang}` };
    for (const headers of [{ "accept-language": lang }, byCookie]) {
      const page = await htmlOf(await server.ask("/nope?a=1", { headers }));
      expect(page.documentElement.getAttribute("lang")).toBe(lang);
      expect(texts(page, "h1")).toEqual([title]);
      expect(texts(page, "main a.button")).toEqual([back]);
      // The choice of a language leads back here.
      expect(page.querySelector(".language-form [name=back]")?.getAttribute("value")).toBe(
        "/nope?a=1",
      );
    }
  });

  test("is the reader's for 400, 403, 405 and 429 alike", async () => {
    const fake = createFake({ settings: { rateLimitPerS: 1 } });
    const server = startApp(fake, publicFamilies(publicDeps()));
    const foreign = { ...FRENCH, "sec-fetch-site": "cross-site" };
    const asks = [
      ["/search.rss?q=a&page=0", { headers: FRENCH }],
      ["/submit", { form: { url: "https://a.example/" }, headers: foreign }],
      ["/bot", { method: "PUT", headers: FRENCH }],
    ] as const;
    const titles: string[] = [];
    for (const [path, ask] of asks) {
      titles.push(...texts(await htmlOf(await server.ask(path, ask)), "h1"));
    }
    let last = await server.ask("/nope", { headers: FRENCH });
    for (let at = 0; at < 1_010 && last.status !== 429; at += 1) {
      last = await server.ask("/nope", { headers: FRENCH });
    }
    titles.push(...texts(await htmlOf(last), "h1"));
    expect(titles).toEqual([
      "Cette demande est illisible",
      "Ce formulaire n’est plus à jour",
      "Cela ne se demande pas ainsi",
      "Trop de demandes",
    ]);
  }, 30_000);

  test("is the reader's where one signs in, also after a mistake", async () => {
    const server = startApp();
    const page = await htmlOf(await server.ask("/login", { headers: FRENCH }));
    expect(page.documentElement.getAttribute("lang")).toBe("fr");
    expect(texts(page, "h1")).toEqual(["Se connecter à la console"]);
    const wrong = await server.ask("/login", {
      form: { name: "admin", password: "x", form: "stale" },
      headers: FRENCH,
    });
    expect(await wrong.text()).toContain("Le formulaire était trop ancien");
  });

  test("is English for programs", async () => {
    const answer = await wholeApp().ask("/api/search?q=a&page=0", { headers: FRENCH });
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining("must be a whole number") },
    });
  });
});

describe("an address that no route serves", () => {
  test("knows who asks: the console stays the console", async () => {
    const page = await htmlOf(await wholeApp().ask("/admin/nope", { as: "viewer" }));
    expect(page.querySelector("form[action='/logout']")).not.toBeNull();
    expect(texts(page, "main a.button")).toEqual(["To the overview"]);
    const open = await htmlOf(await wholeApp().ask("/nope", { as: "viewer" }));
    expect(texts(open, ".site-nav a")).toContain("Console");
  });

  test("is limited like any other, but not for a session", async () => {
    const fake = createFake({ settings: { rateLimitPerS: 1 } });
    const server = startApp(fake, publicFamilies(publicDeps()));
    const statuses = new Set<number>();
    for (let at = 0; at < 1_001; at += 1) statuses.add((await server.ask("/nope")).status);
    expect([...statuses]).toEqual([404, 429]);
    expect((await server.ask("/admin/nope", { as: "viewer" })).status).toBe(404);
    expect((await server.ask("/assets/none.css")).status).toBe(404);
  }, 30_000);

  test("with the store down is missing all the same", async () => {
    const server = wholeApp();
    server.fake.breakStore();
    expect((await server.ask("/admin/nope", { as: "viewer" })).status).toBe(404);
  });
});

describe("a method that an address does not know", () => {
  test.each([
    ["PUT", "/", "GET, HEAD"],
    ["OPTIONS", "/search?q=a", "GET, HEAD"],
    ["DELETE", "/submit", "GET, HEAD, POST"],
    ["POST", "/cached/1", "GET, HEAD"],
    ["GET", "/logout", "POST"],
    ["GET", "/admin/hosts/1/pause", "POST"],
    ["PATCH", "/admin/hosts/1/block/", "GET, HEAD, POST"],
    ["POST", "/api/search", "GET, HEAD"],
    ["PUT", "/status", "GET, HEAD"],
  ])("%s %s: 405, and what it allows: %s", async (method, path, allow) => {
    const answer = await wholeApp().ask(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    expect(isJson).toBe(/^\/(api|status)/.test(path));
  });

  test.each(["/nope", "/cached", "/cached/1/2", "/admin/hosts/1/nope", "/api/nope"])(
    "%s exists for none",
    async (path) => {
      const answer = await wholeApp().ask(path, { method: "PUT" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([404, null]);
    },
  );
});

test("robots.txt keeps crawlers from results and stored texts, not from what introduces us", async () => {
  const answer = await wholeApp().ask("/robots.txt");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = (await answer.text()).split("\n");
  expect(lines[0]).toBe("User-agent: *");
  for (const path of ["/search", "/suggest", "/api/", "/admin", "/cached"]) {
    expect(lines).toContain(`Disallow: ${path}`);
  }
  expect(lines).toContain("Allow: /bot");
  expect(lines).not.toContain("Disallow: /");
});
