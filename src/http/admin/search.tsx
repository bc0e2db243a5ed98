/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { ConfirmPage } from "../../../templates/console/confirm.tsx";
import { SearchConsolePage } from "../../../templates/console/search.tsx";
import { type PreviewAnswer, SearchPreview } from "../../../templates/console/search-preview.tsx";
import { within } from "../../deadline.ts";
import { IndexUnavailable } from "../../search/port.ts";
import type { Access } from "../auth.ts";
import type { HttpDeps } from "../deps.ts";
import { isOutage } from "../errors.tsx";
import { wantsFragment } from "../htmx.ts";
import { fragment, page } from "../page.ts";
import type { RankingDeps } from "../ranking-deps.ts";
import { invalid } from "../refusal.ts";
import { urlOf } from "../request-url.ts";
import { searchJson } from "../search-json.ts";
import { doneBefore, sayNoMore } from "./done.ts";
import { PAGE, saidOf } from "./ranking-actions.ts";
import { type Trial, trialOf, weightsInEffect } from "./weights.ts";

const PREVIEW_TIMEOUT_MS = 5_000;

/** The console's page of the search, its preview alone for htmx, and both as JSON. */
export const searchConsoleRoutes = (access: Access, { ranking }: Pick<HttpDeps, "ranking">) =>
  new Elysia({ name: "admin-search" })
    .use(access)
    .get(
      PAGE,
      async ({ request, chrome, client, set }) => {
        const signals = ranking.signals();
        const trial = trialOf(urlOf(request).searchParams, signals);
        const preview = await previewOf(ranking, trial);
        const props = { chrome, signals, trial, preview };
        const status = trial.faults.length > 0 ? 400 : 200;
        // A change of the form alone; a link to the page as a part of another asks for all of it.
        if (wantsFragment(request) && trial.isTried) {
          return fragment(<SearchPreview {...props} />, { status });
        }
        const said = saidOf(doneBefore(request));
        if (said !== null) sayNoMore(client, set);
        const queries = await ranking.queries();
        const more = { hosts: ranking.hosts(), synonyms: ranking.synonyms, queries };
        const notice = said === null ? null : ({ tone: "good", text: said } as const);
        return page(<SearchConsolePage {...props} {...more} notice={notice} />, { status });
      },
      { audience: "viewer" },
    )
    .get(
      `${PAGE}/reset`,
      ({ chrome }) =>
        page(
          <ConfirmPage
            chrome={chrome}
            title="Back to the configured weights?"
            subject="All signals"
            action={`${PAGE}/reset`}
            label="Reset them"
            back={PAGE}
            consequences={[
              "What was saved here of weights and switches is forgotten.",
              "The setting RANKING holds, and the usual weights for what it does not name.",
              "Raised and lowered hosts stay.",
            ]}
          />,
        ),
      { audience: "admin" },
    )
    .get(
      `/api${PAGE}`,
      async ({ request }) => {
        const trial = trialOf(urlOf(request).searchParams, ranking.signals());
        if (trial.faults.length > 0) throw invalid(trial.faults.join(" "));
        const preview = await previewOf(ranking, trial);
        return Response.json(
          {
            signals: ranking.signals(),
            hosts: ranking.hosts(),
            queries: await ranking.queries(),
            ...(preview.kind === "results"
              ? { now: searchJson(preview.now), tried: searchJson(preview.tried) }
              : { preview: preview.kind }),
          },
          { headers: { "cache-control": "no-store" } },
        );
      },
      { audience: "viewer" },
    );

async function previewOf(ranking: RankingDeps, trial: Trial): Promise<PreviewAnswer> {
  const { query, faults } = trial;
  if (faults.length > 0) return { kind: "faulty", messages: faults };
  if (query === "") return { kind: "none" };
  try {
    const [now, tried] = await within(
      PREVIEW_TIMEOUT_MS,
      Promise.all([
        ranking.preview(query, weightsInEffect(ranking.signals())),
        ranking.preview(query, trial.ranking),
      ]),
    );
    return { kind: "results", now, tried };
  } catch (error) {
    if (error instanceof IndexUnavailable || isOutage(error)) return { kind: "unavailable" };
    throw error;
  }
}
