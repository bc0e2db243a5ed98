import { systemClock } from "../../src/clock.ts";
import { publicFamilies } from "../../src/http/public.ts";
import type { PublicDeps } from "../../src/http/public-deps.ts";
import { serve } from "../../src/http/serve.ts";
import { type Server, startApp } from "../http/ask.ts";
import { createFake } from "../http/fake.ts";
import { BOOKS, searchBooks } from "./library.ts";

const SUGGESTIONS = ["tidal power", "tidal barrage", "tide table"];

/** What the public pages ask for, answered by a small library in memory. */
export function publicDeps(change: Partial<PublicDeps> = {}): PublicDeps {
  return {
    clock: systemClock,
    settings: {
      publicUrl: null,
      submit: "review",
      userAgent: "Trawl/0.1.0 (+https://search.example/bot)",
      robotsToken: "trawl",
      contact: null,
      region: null,
    },
    search: async (request) => searchBooks(BOOKS, request),
    asked: () => {},
    suggest: async (prefix) => ({
      queries: SUGGESTIONS.filter((text) => text.startsWith(prefix.toLowerCase())),
      titles: [],
    }),
    indexed: async () => BOOKS.length,
    async cached(id) {
      const book = BOOKS.find((each) => each.id === id);
      if (!book) return { kind: "missing" };
      if (book.noarchive) return { kind: "noarchive" };
      return { kind: "found", document: { ...book, crawledAt: new Date(book.crawledAt) } };
    },
    submit: async () => ({ result: "queued", reason: null }),
    ...change,
  };
}

/** The whole server with its public pages, asked without a socket. */
export function publicSite(change: Partial<PublicDeps> = {}): Server {
  const deps = publicDeps(change);
  const settings = { submit: deps.settings.submit, rateLimitPerS: 0 };
  const fake = createFake({ settings });
  return startApp(fake, publicFamilies(deps));
}

/** The same on a port of loopback, for a browser. */
export function servePublicSite(change: Partial<PublicDeps> = {}) {
  const serving = serve(publicSite(change), { host: "127.0.0.1", port: 0 });
  if (serving.kind !== "listening") throw new Error(serving.detail);
  return serving;
}
