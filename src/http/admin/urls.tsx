/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia, t } from "elysia";
import { ConfirmPage } from "../../../templates/console/confirm.tsx";
import { URL_STATES } from "../../../templates/console/states.tsx";
import { UrlPage } from "../../../templates/console/url.tsx";
import { UrlsPage, UrlsTable } from "../../../templates/console/urls.tsx";
import type { Access } from "../auth.ts";
import { type HttpDeps, URL_SORTS, type UrlFilter, type UrlState } from "../deps.ts";
import { wantsFragment } from "../htmx.ts";
import { fragment, page } from "../page.ts";
import { notFound } from "../refusal.ts";
import { takeNotice } from "./actions.ts";
import { filterText, idParams, oneOf, PER_PAGE, pageNumber, pageOf, textOf } from "./input.ts";

const STATES = Object.keys(URL_STATES) as UrlState[];

export const urlRoutes = (access: Access, { urls, clock }: HttpDeps) =>
  new Elysia({ name: "admin-urls" })
    .use(access)
    .get(
      "/admin/urls",
      async ({ query, request, chrome, client, set }) => {
        const filter: UrlFilter = {
          state: textOf(query.state),
          host: textOf(query.host)?.toLowerCase() ?? null,
          reason: textOf(query.reason),
          sort: textOf(query.sort) ?? "newest",
          page: pageOf(query.page),
          perPage: PER_PAGE,
        };
        const props = {
          chrome,
          filter,
          urls: await urls.list(filter),
          notice: takeNotice(request, client, set),
          now: new Date(clock.now()),
        };
        return wantsFragment(request)
          ? fragment(<UrlsTable {...props} />)
          : page(<UrlsPage {...props} />);
      },
      {
        audience: "viewer",
        query: t.Object({
          state: oneOf(STATES),
          host: filterText(255),
          reason: filterText(200),
          sort: oneOf(URL_SORTS),
          page: pageNumber,
        }),
      },
    )
    .get(
      "/admin/urls/:id",
      async ({ params, request, chrome, client, set }) => {
        const detail = await urls.read(Number(params.id));
        if (detail === null) throw notFound();
        const notice = takeNotice(request, client, set);
        return page(
          <UrlPage chrome={chrome} detail={detail} notice={notice} now={new Date(clock.now())} />,
        );
      },
      { audience: "viewer", params: idParams },
    )
    .get(
      "/admin/urls/:id/drop",
      async ({ params, chrome }) => {
        const detail = await urls.read(Number(params.id));
        if (detail === null) throw notFound();
        const back = `/admin/urls/${detail.url.id}`;
        return page(
          <ConfirmPage
            chrome={chrome}
            title="Drop this URL?"
            subject={detail.url.url}
            consequences={[
              "The URL and its document are removed; a search no longer finds it.",
              "The history of its visits stays until it is pruned.",
              "A link, seed or submission may bring it back.",
            ]}
            action={`${back}/drop`}
            label="Drop it"
            back={back}
          />,
        );
      },
      { audience: "admin", params: idParams },
    );
