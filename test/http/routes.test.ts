import { expect, test } from "bun:test";
import { publicFamilies } from "../../src/http/public.ts";
import { SIGNAL_NAMES } from "../../src/ranking.ts";
import { publicDeps } from "../support/public-site.ts";
import { startApp, type Who } from "./ask.ts";
import { createFake } from "./fake.ts";

type Expected = readonly [anonymous: number, viewer: number, admin: number];

/** Every route of the server by who asks. Session callers send their CSRF token. */
const ROUTES: Readonly<Record<string, Expected>> = {
  "GET /": [200, 200, 200],
  "GET /search": [200, 200, 200],
  "GET /search.rss": [200, 200, 200],
  "GET /suggest": [200, 200, 200],
  "GET /opensearch.xml": [200, 200, 200],
  "GET /api/search": [200, 200, 200],
  "GET /cached/:id": [200, 200, 200],
  "GET /submit": [200, 200, 200],
  "POST /submit": [202, 202, 202],
  "GET /soumettre": [200, 200, 200],
  "POST /soumettre": [202, 202, 202],
  "GET /bot": [200, 200, 200],
  "POST /language": [303, 303, 303],
  "POST /hosts": [303, 303, 303],
  "GET /robots.txt": [200, 200, 200],
  "GET /healthz": [200, 200, 200],
  "GET /status": [200, 200, 200],
  "GET /metrics": [401, 200, 200],
  "GET /assets/:file": [404, 404, 404],
  "GET /login": [200, 303, 303],
  "POST /login": [400, 400, 400],
  "POST /logout": [401, 303, 303],
  "GET /events": [401, 200, 200],
  "GET /admin": [303, 200, 200],
  "GET /admin/cards": [303, 200, 200],
  "GET /admin/hosts": [303, 200, 200],
  "GET /admin/hosts/:id": [303, 200, 200],
  "GET /admin/hosts/:id/block": [303, 403, 200],
  "GET /admin/hosts/:id/lift": [303, 403, 200],
  "GET /admin/hosts/:id/forget": [303, 403, 200],
  "GET /admin/urls": [303, 200, 200],
  "GET /admin/urls/:id": [303, 200, 200],
  "GET /admin/urls/:id/drop": [303, 403, 200],
  "GET /admin/search": [303, 200, 200],
  "GET /admin/search/reset": [303, 403, 200],
  "GET /api/admin/search": [401, 200, 200],
  ...ranking(["weights", "reset", "hosts", "hosts/remove"]),
  "GET /admin/submissions": [303, 200, 200],
  "GET /admin/audit": [303, 200, 200],
  "GET /admin/settings": [303, 403, 200],
  "GET /admin/users": [303, 403, 200],
  "GET /api/urls": [401, 200, 200],
  ...actions("hosts", ["pause", "resume", "block", "unblock", "delay", "quota", "crawl"]),
  ...actions("hosts", ["lift", "forget"]),
  ...actions("urls", ["retry", "drop", "crawl"]),
  ...actions("submissions", ["accept", "refuse"]),
};

const WEIGHTS = Object.fromEntries(
  SIGNAL_NAMES.flatMap((name) => [
    [`weight_${name}`, "0.5"],
    [`on_${name}`, "1"],
  ]),
);

const FORMS: Readonly<Record<string, Record<string, string>>> = {
  "/submit": { url: "https://a.example/" },
  "/soumettre": { url: "https://a.example/" },
  "/language": { lang: "fr" },
  "/hosts": { choice: "block a.example" },
  "/admin/hosts/:id/delay": { delay_ms: "2000" },
  "/admin/hosts/:id/quota": { urls_max: "20", bytes_max: "" },
  "/admin/search/weights": WEIGHTS,
  "/api/admin/search/weights": WEIGHTS,
  "/admin/search/hosts": { host: "a.example", factor: "raise" },
  "/admin/search/hosts/remove": { host: "a.example" },
  "/api/admin/search/hosts": { host: "a.example", factor: "raise" },
  "/api/admin/search/hosts/remove": { host: "a.example" },
  "/api/admin/hosts/:id/delay": { delay_ms: "" },
  "/api/admin/hosts/:id/quota": { urls_max: "", bytes_max: "5" },
};

const QUERIES: Readonly<Record<string, string>> = {
  "/search": "?q=tidal",
  "/search.rss": "?q=tidal",
  "/suggest": "?q=tid",
  "/api/search": "?q=tidal",
  "/events": "?view=overview",
  "/api/urls": "?url=https://a.example/",
};

test.each(Object.entries(ROUTES))("%s", async (route, expected) => {
  const [method = "", path = ""] = route.split(" ");
  const server = wholeApp();
  const address = path.replace(/:id/, "1").replace(/:file/, "none.css") + (QUERIES[path] ?? "");
  const answers = await Promise.all(
    (["anonymous", "viewer", "admin"] as const satisfies Who[]).map(async (as) => {
      const answer = await server.ask(address, {
        as,
        ...(method === "POST" ? { form: FORMS[path] ?? {} } : {}),
      });
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  server.live.close();
  expect(answers).toEqual([...expected]);
});

test("the table names every route of the server, and nothing else", () => {
  const served = wholeApp().server.routes.map(({ method, path }) => `${method} ${path}`);
  expect(served.sort()).toEqual(Object.keys(ROUTES).sort());
});

test("a route that names no audience keeps the server from starting", async () => {
  const { Elysia } = await import("elysia");
  const family = () => new Elysia().get("/open", () => "for all");
  expect(() => startApp(undefined, [family])).toThrow("routes without an audience: GET /open");
});

const wholeApp = () => startApp(createFake(), publicFamilies(publicDeps()));

function ranking(names: readonly string[]): Record<string, Expected> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`POST /admin/search/${name}`, [401, 403, 303] as const],
      [`POST /api/admin/search/${name}`, [401, 403, 200] as const],
    ]),
  );
}

function actions(family: string, names: readonly string[]): Record<string, Expected> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`POST /admin/${family}/:id/${name}`, [401, 403, 303] as const],
      [`POST /api/admin/${family}/:id/${name}`, [401, 403, 200] as const],
    ]),
  );
}
