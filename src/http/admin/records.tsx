/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia, t } from "elysia";
import { AuditPage } from "../../../templates/console/audit.tsx";
import { SettingsPage } from "../../../templates/console/settings.tsx";
import { SubmissionsPage } from "../../../templates/console/submissions.tsx";
import { UsersPage } from "../../../templates/console/users.tsx";
import type { Access } from "../auth.ts";
import { type HttpDeps, SUBMISSION_STATES, type SubmissionDeps } from "../deps.ts";
import { page } from "../page.ts";
import { takeNotice } from "./actions.ts";
import { filterText, oneOf, PER_PAGE, pageNumber, pageOf, textOf } from "./input.ts";

/** The console's plain lists: submissions, audit log, settings, users. */
export const recordRoutes = (access: Access, deps: HttpDeps) =>
  new Elysia({ name: "admin-records" })
    .use(access)
    .get(
      "/admin/submissions",
      async ({ query, request, chrome, client, set }) => {
        const filter: Parameters<SubmissionDeps["list"]>[0] = {
          state: textOf(query.state) ?? "review",
          page: pageOf(query.page),
          perPage: PER_PAGE,
        };
        return page(
          <SubmissionsPage
            chrome={chrome}
            filter={filter}
            submissions={await deps.submissions.list(filter)}
            notice={takeNotice(request, client, set)}
            now={new Date(deps.clock.now())}
          />,
        );
      },
      {
        audience: "viewer",
        query: t.Object({ state: oneOf(SUBMISSION_STATES), page: pageNumber }),
      },
    )
    .get(
      "/admin/audit",
      async ({ query, chrome }) => {
        const filter = {
          actor: textOf(query.actor),
          action: textOf(query.action),
          page: pageOf(query.page),
          perPage: PER_PAGE,
        };
        const entries = await deps.audit.list(filter);
        return page(<AuditPage chrome={chrome} filter={filter} entries={entries} />);
      },
      {
        audience: "viewer",
        query: t.Object({ actor: filterText(100), action: filterText(100), page: pageNumber }),
      },
    )
    .get(
      "/admin/settings",
      ({ chrome }) => page(<SettingsPage chrome={chrome} settings={deps.settings.shown} />),
      { audience: "admin" },
    )
    .get(
      "/admin/users",
      async ({ chrome }) => {
        const accounts = await deps.accounts.list();
        const now = new Date(deps.clock.now());
        return page(<UsersPage chrome={chrome} accounts={accounts} now={now} />);
      },
      { audience: "admin" },
    );
