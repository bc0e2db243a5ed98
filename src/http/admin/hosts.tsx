/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia, t } from "elysia";
import { ConfirmPage } from "../../../templates/console/confirm.tsx";
import { HostPage } from "../../../templates/console/host.tsx";
import { HostsPage, HostsTable } from "../../../templates/console/hosts.tsx";
import { HOST_STATES } from "../../../templates/console/states.tsx";
import type { Chrome } from "../../../templates/layout.tsx";
import type { Access } from "../auth.ts";
import {
  HOST_SORTS,
  type HostDetail,
  type HostFilter,
  type HostState,
  type HttpDeps,
} from "../deps.ts";
import { gapBins } from "../gaps.ts";
import { wantsFragment } from "../htmx.ts";
import { fragment, page } from "../page.ts";
import { notFound } from "../refusal.ts";
import { takeNotice } from "./actions.ts";
import { filterText, idParams, oneOf, PER_PAGE, pageNumber, pageOf, textOf } from "./input.ts";

const STATES = Object.keys(HOST_STATES) as HostState[];

export const hostRoutes = (access: Access, { hosts, clock, settings }: HttpDeps) =>
  new Elysia({ name: "admin-hosts" })
    .use(access)
    .get(
      "/admin/hosts",
      async ({ query, request, chrome, client, set }) => {
        const filter: HostFilter = {
          text: textOf(query.q),
          state: textOf(query.state),
          sort: textOf(query.sort) ?? "name",
          order: textOf(query.order) ?? "asc",
          page: pageOf(query.page),
          perPage: PER_PAGE,
        };
        const props = {
          chrome,
          filter,
          hosts: await hosts.list(filter),
          delayOf: hosts.delayOf,
          notice: takeNotice(request, client, set),
          now: new Date(clock.now()),
        };
        return wantsFragment(request)
          ? fragment(<HostsTable {...props} />)
          : page(<HostsPage {...props} />);
      },
      {
        audience: "viewer",
        query: t.Object({
          q: filterText(255),
          state: oneOf(STATES),
          sort: oneOf(HOST_SORTS),
          order: oneOf(["asc", "desc"]),
          page: pageNumber,
        }),
      },
    )
    .get(
      "/admin/hosts/:id",
      async ({ params, request, chrome, client, set }) => {
        const detail = await hosts.read(Number(params.id));
        if (detail === null) throw notFound();
        const delay = hosts.delayOf(detail.host);
        return page(
          <HostPage
            chrome={chrome}
            detail={detail}
            delay={delay}
            gaps={gapBins(detail.visits, delay.ms)}
            urlsMax={settings.hostUrlsMax}
            notice={takeNotice(request, client, set)}
            now={new Date(clock.now())}
          />,
        );
      },
      { audience: "viewer", params: idParams },
    )
    .get(
      "/admin/hosts/:id/block",
      async ({ params, chrome }) => ask(await hosts.read(Number(params.id)), chrome, BLOCK),
      { audience: "admin", params: idParams },
    )
    .get(
      "/admin/hosts/:id/lift",
      async ({ params, chrome }) => ask(await hosts.read(Number(params.id)), chrome, LIFT),
      { audience: "admin", params: idParams },
    )
    .get(
      "/admin/hosts/:id/forget",
      async ({ params, chrome }) => ask(await hosts.read(Number(params.id)), chrome, FORGET),
      { audience: "admin", params: idParams },
    );

interface Question {
  title: string;
  action: string;
  label: string;
  consequences: readonly string[];
}

const BLOCK: Question = {
  title: "Block this host?",
  action: "block",
  label: "Block it",
  consequences: [
    "Nothing of it is fetched any more.",
    "Its documents leave the index.",
    "Its URLs are kept, and come back when it is unblocked.",
  ],
};

const LIFT: Question = {
  title: "Lift all cuts of this host?",
  action: "lift",
  label: "Lift them",
  consequences: [
    "What was learned of its traps is forgotten: all its patterns are open, all parameters count.",
    "URLs that were left alone are due again.",
    "What brings nothing new is cut again after some more pages.",
  ],
};

const FORGET: Question = {
  title: "Forget this host?",
  action: "forget",
  label: "Forget it",
  consequences: [
    "All its URLs and documents are removed, and what was learned of its rules.",
    "The history of its visits stays until it is pruned.",
    "A link, seed or submission may bring it back; block it to keep it out.",
  ],
};

function ask(detail: HostDetail | null, chrome: Chrome, question: Question): Response {
  if (detail === null) throw notFound();
  const back = `/admin/hosts/${detail.host.id}`;
  return page(
    <ConfirmPage
      chrome={chrome}
      subject={detail.host.name}
      back={back}
      {...question}
      action={`${back}/${question.action}`}
    />,
  );
}
