import { describe, expect, test } from "bun:test";
import { languageOf } from "../../src/http/language.ts";
import { localPath } from "../../src/http/local-path.ts";
import { htmlOf, texts } from "../support/html.ts";
import { BOOKS } from "../support/library.ts";
import { publicDeps, publicSite } from "../support/public-site.ts";

describe("the routes of everybody", () => {
  const routes = [
    ["GET /", 200],
    ["GET /search?q=tidal", 200],
    ["GET /search.rss?q=tidal", 200],
    ["GET /suggest?q=tid", 200],
    ["GET /opensearch.xml", 200],
    ["GET /api/search?q=tidal", 200],
    ["GET /cached/1", 200],
    ["GET /submit", 200],
    ["GET /soumettre", 200],
    ["POST /submit", 202],
    ["POST /soumettre", 202],
    ["GET /bot", 200],
    ["POST /language", 303],
  ] as const;
  test.each(routes)(
    "%s answers %i to anybody, with the headers of every page",
    async (route, status) => {
      const [method = "", path = ""] = route.split(" ");
      const site = publicSite();
      const form = { url: "https://a.example/", lang: "fr" };
      for (const as of ["anonymous", "viewer", "admin", "api token"] as const) {
        const answer = await site.ask(path, { as, ...(method === "POST" ? { form } : {}) });
        expect(answer.status).toBe(status);
        expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      }
    },
  );
});

describe("GET /cached/:id", () => {
  test("shows the stored text with a way to the page and back", async () => {
    const answer = await publicSite().ask("/cached/1?q=tidal");
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    const page = await htmlOf(answer);
    expect(texts(page, "h1")).toEqual(["Tidal power in the bay"]);
    expect(texts(page, ".cached-text")[0]).toStartWith("The tidal barrage");
    expect(page.querySelector(".cached-text")?.getAttribute("lang")).toBe("en");
    const hrefs = [...page.querySelectorAll("main a")].map((a) => a.getAttribute("href"));
    expect(hrefs).toEqual(["/search?q=tidal", BOOKS[0]!.url]);
  });

  test("keeps what its author does not want shown", async () => {
    const answer = await publicSite().ask("/cached/2");
    expect(answer.status).toBe(404);
    const text = await answer.text();
    expect(text).toContain("noarchive");
    expect(text).not.toContain("Ferries leave");
  });

  test.each(["999", "0", "-1", "1e3", "abc", "99999999999999999999", "%00", "%E0%A4%A", "1%2F2"])(
    "%s: a readable 404",
    async (id) => {
      const answer = await publicSite().ask(`/cached/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("<h1");
    },
  );
});

describe("GET /bot", () => {
  test("names the crawler and how to keep it out", async () => {
    const page = await htmlOf(await publicSite().ask("/bot"));
    expect(texts(page, "code")).toContain("Trawl/0.1.0 (+https://search.example/bot)");
    expect(texts(page, "pre")[0]).toBe("User-agent: trawl Disallow: /");
  });

  test.each([
    ["ops@search.example", "mailto:ops@search.example"],
    ["https://search.example/imprint", "https://search.example/imprint"],
    ["javascript:alert(1)", null],
    ["room 12, second floor", null],
  ])("contact %s", async (contact, href) => {
    const site = publicSite({ settings: { ...publicDeps().settings, contact } });
    const page = await htmlOf(await site.ask("/bot"));
    const last = page.querySelector(".prose > p:last-child");
    expect(last?.textContent).toContain(contact);
    expect(last?.querySelector("a")?.getAttribute("href") ?? null).toBe(href);
  });
});

describe("POST /language", () => {
  test("remembers the language and goes back", async () => {
    const site = publicSite();
    const answer = await site.ask("/language", {
      form: { lang: "pt", back: "/search?q=a&lang=fr" },
    });
    expect(answer.headers.get("location")).toBe("/search?q=a&lang=fr");
    expect(answer.headers.get("set-cookie")).toStartWith(
      "trawl_lang=pt; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  test("of an unknown language changes nothing", async () => {
    const answer = await publicSite().ask("/language", { form: { lang: "xx\r\nx: y" } });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([303, null]);
  });

  test.each([
    ["/search?q=1", "/search?q=1", "a path"],
    ["http://localhost/bot", "/bot", "an address of this server"],
    ["https://evil.test/", "/", "another host"],
    ["//evil.test/", "/", "another host without a scheme"],
    ["/\\evil.test", "/", "a backslash that browsers read as a slash"],
    ["/.//evil.test/x", "/", "dots that leave two slashes"],
    ["javascript:alert(1)", "/", "no web address"],
    ["/a\r\nSet-Cookie: b=c", "/aSet-Cookie:%20b=c", "line breaks end no header"],
    ["http://[", "/", "no address at all"],
  ])("goes back from %j to %s", (back, expected, why) => {
    expect(localPath(back, new URL("http://localhost/language")), why).toBe(expected);
  });

  test.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
    ["en;q=0.2, ru;q=0.7", "ru"],
    ["de, *;q=0.5", "en"],
    ["fr;q=0", "en"],
    ["fr ; q=0.5, de;q=0.9", "fr"],
    ["en ;q=0.2 , ru ; q = 0.7", "ru"],
    ["fr;q=nonsense, ru;q=0.1", "ru"],
    ["", "en"],
    [",;=,".repeat(10_000), "en"],
  ])("Accept-Language", (header, expected) => {
    const request = new Request("http://localhost/", { headers: { "accept-language": header } });
    expect(languageOf(request)).toBe(expected as "en");
  });
});

describe("the reader's own choice of hosts", () => {
  test("raises and hides over all pages, and says what is hidden", async () => {
    const headers = { cookie: "a=b; trawl_hosts=-sea.example|+harbour.example|nonsense|-<script>" };
    const page = await htmlOf(await publicSite().ask("/search?q=tidal&collapse=none", { headers }));
    expect(texts(page, ".hit-host")).toEqual(Array(10).fill("harbour.example"));
    expect(texts(page, ".hit-facts .badge")).toEqual(Array(10).fill("Your choice"));
    expect(texts(page, ".notice p")).toEqual([
      "25 results hidden: you chose not to see these sites.",
    ]);
    expect(texts(page, ".hidden-hosts bdi")).toEqual(["sea.example"]);
  });

  test("never hides the host that was asked for, nor anything from programs", async () => {
    const headers = { cookie: "trawl_hosts=-sea.example" };
    const site = publicSite();
    const page = await htmlOf(await site.ask("/search?q=tidal&host=sea.example", { headers }));
    expect(texts(page, ".hit-title")).toHaveLength(10);
    const api = await site.ask("/api/search?q=tidal&collapse=none", { headers });
    expect(((await api.json()) as { hits: unknown[] }).hits).toHaveLength(10);
  });
});
