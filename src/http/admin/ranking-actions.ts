import { Elysia } from "elysia";
import type { ActionResult } from "../../crawl/move-url.ts";
import { HOST_FACTORS, isHostFactor } from "../../search/host-wishes.ts";
import type { Access } from "../auth.ts";
import type { Caller } from "../caller.ts";
import { fieldOf } from "../csrf.ts";
import type { HttpDeps } from "../deps.ts";
import type { RankingDeps } from "../ranking-deps.ts";
import { invalid } from "../refusal.ts";
import { actorOf, demandDone } from "./actions.ts";
import { leadTo } from "./done.ts";
import { isWeightsForm, weightsOfForm, weightsOfJson } from "./weights.ts";

export const PAGE = "/admin/search";

interface RankingAction {
  name: "weights" | "reset" | "hosts" | "hosts/remove";
  run(ranking: RankingDeps, body: unknown, actor: string): Promise<ActionResult>;
  /** What the page says afterwards. */
  said: string;
}

const ACTIONS: readonly RankingAction[] = [
  {
    name: "weights",
    run: (ranking, body, actor) => {
      const read = isWeightsForm(body)
        ? weightsOfForm((name) => fieldOf(body, name))
        : weightsOfJson(body, ranking.signals());
      if (read.faults.length > 0) throw invalid(read.faults.join(" "));
      return ranking.save(read.ranking, actor);
    },
    said: "Saved. Every web process ranks by these weights within seconds.",
  },
  {
    name: "reset",
    run: (ranking, _body, actor) => ranking.reset(actor),
    said: "The weights are as configured again.",
  },
  {
    name: "hosts",
    run: (ranking, body, actor) => {
      const factor = fieldOf(body, "factor") ?? "";
      if (!isHostFactor(factor)) {
        throw invalid(`"factor" must be one of ${Object.keys(HOST_FACTORS).join(", ")}.`);
      }
      return ranking.setHost(newHost(body), factor, actor);
    },
    said: "Saved. It holds for the host and for all below it.",
  },
  {
    name: "hosts/remove",
    run: (ranking, body, actor) => ranking.dropHost(readHost(body), actor),
    said: "Removed. The host ranks as any other.",
  },
];

/** What an admin changes of the ranking, under /admin (forms) and /api/admin (JSON). */
export function rankingActions(access: Access, { ranking }: Pick<HttpDeps, "ranking">) {
  const routes = new Elysia({ name: "ranking-actions" }).use(access);
  for (const { name, run } of ACTIONS) {
    const act = async (body: unknown, caller: Caller) =>
      demandDone(await run(ranking, body, actorOf(caller)));
    routes.post(
      `${PAGE}/${name}`,
      async ({ body, caller, client }) => {
        await act(body, caller);
        return leadTo(PAGE, `/search/${name}`, client);
      },
      { audience: "admin" },
    );
    routes.post(
      `/api${PAGE}/${name}`,
      async ({ body, caller }) => {
        await act(body, caller);
        return Response.json({ result: "done" }, { headers: { "cache-control": "no-store" } });
      },
      { audience: "admin" },
    );
  }
  return routes;
}

export const saidOf = (done: string): string | null =>
  ACTIONS.find(({ name }) => done === `/search/${name}`)?.said ?? null;

const HOST_MAX = 255;

const refuseHost = () => invalid('"host" must be the name of a host, such as example.org.');

/** A host as people write it, an address of it too: as the index has it. */
function readHost(body: unknown): string {
  const url = typedUrl(body);
  const host = url?.hostname.replace(/\.$/, "") ?? "";
  if (host === "" || host.length > HOST_MAX) throw refuseHost();
  return host;
}

function typedUrl(body: unknown): URL | null {
  const given = (fieldOf(body, "host") ?? "").trim();
  if (given.length > HOST_MAX * 2) throw refuseHost();
  return URL.parse(given.includes("://") ? given : `http://${given}`);
}

/** Names as the DNS has them, and addresses; a rule of anything else would hold for nothing. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.(?!$)|$))+$|^\[[\da-f:.]+\]$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** One that a rule can hold for. */
function newHost(body: unknown): string {
  const host = readHost(body);
  // A URL reads 10.1 as 10.0.0.1, and takes a range of addresses for its first one.
  const isRange = /^\/\d+$/.test(typedUrl(body)?.pathname ?? "");
  const isTyped = !IPV4.test(host) || (fieldOf(body, "host")?.includes(host) && !isRange);
  if (!HOST.test(host) || !isTyped) throw refuseHost();
  return host;
}
