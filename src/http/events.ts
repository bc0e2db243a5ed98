import { Elysia, t } from "elysia";
import type { Access } from "./auth.ts";
import type { Caller } from "./caller.ts";
import type { Live } from "./live.ts";
import { tooManyWatch } from "./refusal.ts";
import type { Sessions } from "./sessions.ts";

/** The live stream of the console: `GET /events?view=overview`. */
export const eventRoutes = (access: Access, live: Live, sessions: Sessions) =>
  new Elysia({ name: "events" }).use(access).get(
    "/events",
    ({ query, caller, request, server }) => {
      const stream = live.open(query.view, () => isStillGood(caller, sessions));
      if (stream === null) throw tooManyWatch();
      // An idle stream would be cut after 30 s; our heartbeat is the judge of that.
      server?.timeout(request, 0);
      return new Response(stream, {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        },
      });
    },
    { audience: "viewer", query: t.Object({ view: t.Literal("overview") }) },
  );

/** A stream outlives the check at its beginning: signing out must end it too. */
async function isStillGood(caller: Caller, sessions: Sessions): Promise<boolean> {
  return caller.kind !== "session" || (await sessions.find(caller.id)) !== null;
}
