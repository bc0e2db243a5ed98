/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import type { Chrome } from "../../templates/layout.tsx";
import { SubmitPage, type SubmitPageProps } from "../../templates/submit.tsx";
import { within } from "../deadline.ts";
import { type Access, wantsHtml } from "./auth.ts";
import { fieldOf } from "./csrf.ts";
import { isOutage } from "./errors.tsx";
import { page } from "./page.ts";
import { publicChrome } from "./public-chrome.ts";
import type { PublicDeps } from "./public-deps.ts";
import { urlOf } from "./request-url.ts";

type State = SubmitPageProps["state"];

const STORE_TIMEOUT_MS = 5_000;
/** Longer than any address that is taken; what is above it is not even looked at. */
const INPUT_MAX = 10_000;

/** The form for one address, under two names; answers people in HTML and programs in JSON. */
export const submitRoutes = (access: Access, deps: PublicDeps) => {
  const show = (chrome: Chrome, request: Request) => {
    const url = urlOf(request).searchParams.get("url") ?? "";
    return html(chrome, request, { kind: isOpen(deps) ? "form" : "off" }, url.slice(0, INPUT_MAX));
  };
  const take = async (chrome: Chrome, request: Request, body: unknown) => {
    const url = (fieldOf(body, "url") ?? "").trim();
    const state = await submit(url, deps);
    return wantsHtml(request) ? html(chrome, request, state, url.slice(0, INPUT_MAX)) : json(state);
  };
  return new Elysia({ name: "submit" })
    .use(access)
    .get("/submit", ({ chrome, request }) => show(chrome, request), { audience: "public" })
    .get("/soumettre", ({ chrome, request }) => show(chrome, request), { audience: "public" })
    .post("/submit", ({ chrome, request, body }) => take(chrome, request, body), {
      audience: "public",
    })
    .post("/soumettre", ({ chrome, request, body }) => take(chrome, request, body), {
      audience: "public",
    });
};

async function submit(url: string, deps: PublicDeps): Promise<State> {
  if (!isOpen(deps)) return { kind: "off" };
  if (url === "") return { kind: "missing" };
  if (url.length > INPUT_MAX) return { kind: "answer", result: "refused", reason: "too long" };
  try {
    return { kind: "answer", ...(await within(STORE_TIMEOUT_MS, deps.submit(url))) };
  } catch (error) {
    if (isOutage(error)) return { kind: "unavailable" };
    throw error;
  }
}

const isOpen = (deps: PublicDeps): boolean => deps.settings.submit !== "off";

function html(chrome: Chrome, request: Request, state: State, url: string): Response {
  const view = <SubmitPage chrome={publicChrome(chrome, request)} url={url} state={state} />;
  const { status } = ANSWERS[state.kind];
  return page(view, { status, headers: { "cache-control": "no-store", ...retryAfter(state) } });
}

function json(state: State): Response {
  const { status, code, message } = ANSWERS[state.kind];
  const body =
    state.kind === "answer"
      ? { result: state.result, reason: state.reason }
      : { error: { code, message } };
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", vary: "Accept", ...retryAfter(state) },
  });
}

const retryAfter = (state: State): Record<string, string> =>
  state.kind === "unavailable" ? { "retry-after": "5" } : {};

const ANSWERS: Record<State["kind"], { status: number; code: string; message: string }> = {
  form: { status: 200, code: "", message: "" },
  answer: { status: 202, code: "", message: "" },
  missing: { status: 400, code: "invalid", message: "Give an address as “url”." },
  off: { status: 404, code: "not_found", message: "Submissions are closed." },
  unavailable: {
    status: 503,
    code: "unavailable",
    message: "Submissions cannot be stored at the moment.",
  },
};
