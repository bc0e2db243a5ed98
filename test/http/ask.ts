import { type App, createApp } from "../../src/http/app.ts";
import { API_TOKEN, CSRF, createFake, type Fake, SESSIONS, VIEWER_TOKEN } from "./fake.ts";

export type Who = "anonymous" | "viewer" | "admin" | "viewer token" | "api token";

/** How a kind of caller shows who it is. */
const CREDENTIALS: Readonly<Record<Who, Readonly<Record<string, string>>>> = {
  anonymous: {},
  viewer: { cookie: `__Host-trawl=${SESSIONS.viewer}` },
  admin: { cookie: `__Host-trawl=${SESSIONS.admin}` },
  "viewer token": { authorization: `Bearer ${VIEWER_TOKEN}` },
  "api token": { authorization: `Bearer ${API_TOKEN}` },
};

export interface Ask {
  method?: string;
  as?: Who;
  headers?: Readonly<Record<string, string>>;
  /** Fields of a form; a session's own forms carry its token unless `csrf` is given here. */
  form?: Readonly<Record<string, string>>;
  json?: unknown;
  /** Another origin than http://localhost. */
  origin?: string;
}

export interface Server extends App {
  fake: Fake;
  ask(path: string, ask?: Ask): Promise<Response>;
}

/** A server on a fake, asked without a socket. */
export function startApp(
  fake: Fake = createFake(),
  families: Parameters<typeof createApp>[1] = [],
): Server {
  const app = createApp(fake.deps, families);
  return {
    ...app,
    fake,
    ask(path, { method, as = "anonymous", headers = {}, form, json, origin } = {}) {
      const sent = new Headers({ ...CREDENTIALS[as], ...headers });
      const verb = method ?? (form || json !== undefined ? "POST" : "GET");
      let body: string | null = null;
      if (json !== undefined) {
        body = JSON.stringify(json);
        sent.set("content-type", "application/json");
      } else if (form) {
        const token = as === "viewer" || as === "admin" ? { csrf: CSRF } : {};
        body = new URLSearchParams({ ...token, ...form }).toString();
        sent.set("content-type", "application/x-www-form-urlencoded");
      }
      const url = `${origin ?? "http://localhost"}${path}`;
      return app.server.handle(new Request(url, { method: verb, headers: sent, body }));
    },
  };
}
