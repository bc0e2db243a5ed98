import type { Access as SiteAccess } from "./site.ts";

/** A request as a script of an origin sees it. */
export interface Asked {
  host: string;
  /** With its query. */
  path: string;
  /** How often this host was asked for this path, from 1. */
  nth: number;
  headers: Headers;
}

/** A text is a page of status 200. */
export type Answer = string | Response;
export type Script = (asked: Asked) => Answer | Promise<Answer>;
/** What a host answers by path, with its query or for any query; all else is 404. */
export type Scripts = Readonly<Record<string, string | Script>>;

/** `t1` and `status` are 0 until it is answered. */
export interface Access extends SiteAccess {
  cookie: string | null;
}

export interface Origin {
  readonly port: number;
  /** Every request in order of its coming. */
  readonly accesses: readonly Access[];
  /** What `host`, a 127.x.y.z address or a name that leads to one, answers from now on. */
  host(host: string, scripts: Scripts): void;
  url(host: string, path?: string): string;
  /** Requests of one host, for one path or for all pages; robots.txt only when named. */
  asked(host: string, path?: string): Access[];
  stop(): Promise<void>;
}

/** A scripted web: one port of loopback that is a different site under each host name. */
export function startOrigin(): Origin {
  const sites = new Map<string, Scripts>();
  const accesses: Access[] = [];
  const server = Bun.serve({
    hostname: "0.0.0.0",
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const { hostname: host, pathname, search } = new URL(request.url);
      const { headers } = request;
      const path = pathname + search;
      const cookie = headers.get("cookie");
      const access = { t0: Date.now(), t1: 0, host, path, status: 0, cookie };
      const nth = accesses.filter((each) => each.host === host && each.path === path).length + 1;
      accesses.push(access);
      const site = sites.get(host);
      const script = site?.[path] ?? site?.[pathname] ?? (() => status(404));
      const answer =
        typeof script === "string" ? script : await script({ host, path, nth, headers });
      const response = typeof answer === "string" ? page(answer) : answer;
      access.t1 = Date.now();
      access.status = response.status;
      return response;
    },
  });
  return {
    port: server.port!,
    accesses,
    host: (host, scripts) => void sites.set(host, scripts),
    url: (host, path = "/") => `http://${host}:${server.port}${path}`,
    asked: (host, path) =>
      accesses.filter((access) => {
        if (access.host !== host) return false;
        return path === undefined ? access.path !== "/robots.txt" : access.path === path;
      }),
    stop: () => server.stop(true),
  };
}

/** A page of this text with these links. */
export function page(text: string, ...links: string[]): Response {
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(" ");
  const html = `<!doctype html><html lang="en"><head><title>${text}</title></head>
    <body><main><h1>${text}</h1><p>${text}</p></main><nav>${anchors}</nav></body></html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

export function robots(...lines: string[]): Response {
  return new Response(lines.join("\n"), { headers: { "content-type": "text/plain" } });
}

export function status(code: number, headers: HeadersInit = {}): Response {
  return new Response(`${code}`, { status: code, headers });
}

export function redirect(location: string, headers: HeadersInit = {}, code = 302): Response {
  const all = new Headers(headers);
  all.set("location", location);
  return new Response(null, { status: code, headers: all });
}

/** The connection is taken and no byte ever comes. */
export function never(): Promise<Response> {
  return new Promise(() => {});
}

/** The most requests that were under way at once. */
export function mostAtOnce(accesses: readonly Access[]): number {
  const over = (access: Access) => access.t1 || Number.POSITIVE_INFINITY;
  const beside = (one: Access) =>
    accesses.filter((other) => other !== one && other.t0 <= one.t0 && over(other) > one.t0);
  return Math.max(0, ...accesses.map((one) => beside(one).length + 1));
}

/** Waits from the end of each answer of a host to its next request, ms; robots.txt apart. */
export function gapsOf(accesses: readonly Access[]): number[] {
  return accesses.slice(1).map(({ t0 }, at) => t0 - accesses[at]!.t1);
}
