import { Elysia } from "elysia";
import type { NoticeText } from "../../../templates/console/notice.tsx";
import type { ActionResult } from "../../crawl/move-url.ts";
import type { Access } from "../auth.ts";
import type { Caller } from "../caller.ts";
import type { HostQuota, HttpDeps } from "../deps.ts";
import { invalid, notFound, refused } from "../refusal.ts";
import { urlOf } from "../request-url.ts";
import type { Client } from "../visitor.ts";
import { doneBefore, leadTo, sayNoMore } from "./done.ts";
import { idParams } from "./input.ts";

interface Action {
  /** Path below /admin and /api/admin; its last word names the action. */
  path: `/${string}/:id/${string}`;
  run(deps: HttpDeps, id: number, actor: string, body: unknown): Promise<ActionResult>;
  /** Page that a person sees afterwards. */
  back(id: number): string;
  /** What that page says. */
  said: string;
}

const toHost = (id: number) => `/admin/hosts/${id}`;
const toUrl = (id: number) => `/admin/urls/${id}`;

/** Everything that an operator can do. Each stands under /admin (forms) and /api/admin (JSON). */
const ACTIONS: readonly Action[] = [
  {
    path: "/hosts/:id/pause",
    run: ({ hosts }, id, actor) => hosts.pause(id, actor),
    back: toHost,
    said: "Paused. A request on its way is finished, then nothing is asked until you resume.",
  },
  {
    path: "/hosts/:id/resume",
    run: ({ hosts }, id, actor) => hosts.resume(id, actor),
    back: toHost,
    said: "Resumed.",
  },
  {
    path: "/hosts/:id/block",
    run: ({ hosts }, id, actor) => hosts.block(id, actor),
    back: toHost,
    said: "Blocked. Its documents leave the index.",
  },
  {
    path: "/hosts/:id/unblock",
    run: ({ hosts }, id, actor) => hosts.unblock(id, actor),
    back: toHost,
    said: "Unblocked. Its URLs are due again; if it was paused before, it is paused again.",
  },
  {
    path: "/hosts/:id/delay",
    run: ({ hosts }, id, actor, body) => hosts.setDelay(id, readDelay(body), actor),
    back: toHost,
    said: "The delay is set. The longest of all rules wins.",
  },
  {
    path: "/hosts/:id/quota",
    run: ({ hosts }, id, actor, body) => hosts.setQuota(id, readQuota(body), actor),
    back: toHost,
    said: "The quotas are set. Pages whose links found no room are read again where there is some.",
  },
  {
    path: "/hosts/:id/crawl",
    run: ({ hosts }, id, actor) => hosts.crawlNow(id, actor),
    back: toHost,
    said: "Its URLs are due, 10,000 at most, and go first. The delay is kept.",
  },
  {
    path: "/hosts/:id/lift",
    run: ({ hosts }, id, actor) => hosts.liftTraps(id, actor),
    back: toHost,
    said: "Lifted. What was left alone is due again; what is a trap still is learned anew.",
  },
  {
    path: "/hosts/:id/forget",
    run: ({ hosts }, id, actor) => hosts.forget(id, actor),
    back: () => "/admin/hosts",
    said: "Forgotten. A page that is being visited right now goes when its visit is over.",
  },
  {
    path: "/urls/:id/retry",
    run: ({ urls }, id, actor) => urls.retry(id, actor),
    back: toUrl,
    said: "It is due again.",
  },
  {
    path: "/urls/:id/drop",
    run: ({ urls }, id, actor) => urls.drop(id, actor),
    back: () => "/admin/urls",
    said: "The URL and its document are gone.",
  },
  {
    path: "/urls/:id/crawl",
    run: ({ urls }, id, actor) => urls.crawlNow(id, actor),
    back: toUrl,
    said: "It is due and goes first. The delay is kept.",
  },
  {
    path: "/submissions/:id/accept",
    run: ({ submissions }, id, actor) => submissions.decide(id, "accepted", actor),
    back: () => "/admin/submissions",
    said: "Accepted: it is queued, and its host is in scope now.",
  },
  {
    path: "/submissions/:id/refuse",
    run: ({ submissions }, id, actor) => submissions.decide(id, "refused", actor),
    back: () => "/admin/submissions",
    said: "Refused.",
  },
];

export function actionRoutes(access: Access, deps: HttpDeps) {
  const routes = new Elysia({ name: "actions" }).use(access);
  for (const action of ACTIONS) {
    const run = (id: string, caller: Caller, body: unknown) =>
      action.run(deps, Number(id), actorOf(caller), body);
    const options = { audience: "admin", params: idParams } as const;
    routes.post(
      `/admin${action.path}`,
      async ({ params, caller, client, body }) => {
        demandDone(await run(params.id, caller, body));
        const done = action.path.replace(":id", params.id);
        return leadTo(action.back(Number(params.id)), done, client);
      },
      options,
    );
    routes.post(
      `/api/admin${action.path}`,
      async ({ params, caller, body }) => {
        demandDone(await run(params.id, caller, body));
        return Response.json({ result: "done" }, { headers: { "cache-control": "no-store" } });
      },
      options,
    );
  }
  return routes;
}

/** What an action led here to say. */
export function takeNotice(
  request: Request,
  client: Client,
  set: { headers: Record<string, unknown> },
): NoticeText | null {
  const done = doneBefore(request);
  const [, family, id, name] = /^\/([a-z]+)\/(\d{1,15})\/([a-z]+)$/.exec(done) ?? [];
  const action = ACTIONS.find(({ path }) => path === `/${family}/:id/${name}`);
  if (action === undefined || action.back(Number(id)) !== urlOf(request).pathname) return null;
  sayNoMore(client, set);
  return { tone: "good", text: action.said };
}

/** Account name for the audit log. The macro has let nobody but accounts and tokens through. */
export function actorOf(caller: Caller): string {
  if (caller.kind === "session" || caller.kind === "token") return caller.name;
  throw new Error(`an action was reached by ${caller.kind}`);
}

export function demandDone(result: ActionResult): void {
  switch (result.kind) {
    case "done":
      return;
    case "missing":
      throw notFound();
    case "refused":
      throw refused(sentence(result.reason));
    default:
      result satisfies never;
  }
}

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, ".");

const DELAY_MAX_MS = 86_400_000;

/** `delay_ms` of a form or of JSON; empty or null: no delay of its own. */
const readDelay = (body: unknown): number | null => wholeNumber(body, "delay_ms", 0, DELAY_MAX_MS);

const URLS_MAX = 2_000_000_000;
const BYTES_MAX = 1e15;

function readQuota(body: unknown): HostQuota {
  return {
    urlsMax: wholeNumber(body, "urls_max", 1, URLS_MAX),
    bytesMax: wholeNumber(body, "bytes_max", 1, BYTES_MAX),
  };
}

/** A field of a form or of JSON that must be given; empty or null: none. */
function wholeNumber(body: unknown, name: string, min: number, max: number): number | null {
  const given = (body as Record<string, unknown> | null | undefined)?.[name];
  if (given === null || given === "") return null;
  const text = typeof given === "number" || typeof given === "string" ? String(given).trim() : "";
  if (!/^\d{1,16}$/.test(text) || Number(text) < min || Number(text) > max) {
    throw invalid(`"${name}" must be a whole number from ${min} to ${max}, or empty.`);
  }
  return Number(text);
}
