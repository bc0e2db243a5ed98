import { createServer } from "node:net";
import type { Breaker } from "../crawl/breaker.ts";
import { startHandedWork } from "../crawl/hand-over.ts";
import { PolicyCache } from "../crawl/policy.ts";
import { createApp } from "../http/app.ts";
import { publicFamilies } from "../http/public.ts";
import { serve } from "../http/serve.ts";
import { version } from "../version.ts";
import { ensureAdmin } from "./admin-account.ts";
import { type Call, type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { openCarrier, openParts, operateDeps, type Parts, startBreaker } from "./parts.ts";
import { startCrew, startSchedule } from "./roles.ts";
import { httpDeps, publicDeps } from "./web-deps.ts";

const ROLES = ["web", "crawl", "enrich", "schedule"] as const;
type Role = (typeof ROLES)[number];

/** Commands that wait for their answer must be answered before everything else is closed. */
const COMMANDS_CLOSE_MS = 2_000;

export const startCommand: Command = {
  name: "start",
  usage: "[--roles web,crawl,enrich,schedule]",
  summary: "run everything, or some roles",
  options: { roles: { type: "string" } },
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    const roles = readRoles(call.options.roles);
    const { host, port } = call.config.web;
    if (roles.includes("web") && !(await isFree(host, port))) {
      call.complain(`${host}:${port} is taken: stop what listens there, or set PORT to another`);
      return EXIT.failed;
    }
    const opened = await openParts(call, call.say);
    if (opened.kind === "failed") {
      call.complain(opened.message);
      return EXIT.failed;
    }
    try {
      return await run(call, opened.value, roles);
    } finally {
      await opened.value.lifecycle.stop();
    }
  },
};

async function run(call: Call, parts: Parts, roles: readonly Role[]): Promise<ExitCode> {
  const { config, log } = call;
  const backend = await openCarrier(call, parts);
  const breaker = startBreaker(call, parts, backend);
  const operate = operateDeps(call, parts);
  const handed = startHandedWork(operate, backend, log);
  parts.lifecycle.add("commands", async () => void (await handed.close(COMMANDS_CLOSE_MS)));
  if (roles.includes("crawl")) await startCrew(call, parts, { backend, breaker, roles });
  if (roles.includes("schedule")) await startSchedule(call, parts, { backend, breaker });
  if (roles.includes("web")) {
    const listening = await startWeb(call, parts, breaker);
    if (listening !== EXIT.done) return listening;
  } else {
    call.say(`Trawl ${version} runs: ${roles.join(", ")}`);
  }
  if (roles.includes("crawl") && config.web.publicUrl === null && config.scope.kind === "any") {
    log.warn("identity.missing", { hint: "set PUBLIC_URL, so that sites can see who crawls them" });
  }
  const crawlsOnly = roles.every((role) => role === "crawl");
  return await untilStopped(call, breaker, crawlsOnly);
}

async function startWeb(call: Call, parts: Parts, breaker: Breaker): Promise<ExitCode> {
  const { config, log } = call;
  const operate = operateDeps(call, parts);
  const policy = new PolicyCache({ db: parts.database.db, config, log });
  await policy.start();
  parts.lifecycle.add("policy", () => policy.stop());
  const made = await ensureAdmin(parts.database.db, config.web.adminPassword);
  const web = { operate, policy, breaker };
  const app = createApp(httpDeps(call, web), publicFamilies(publicDeps(call, web)));
  const serving = serve(app, config.web);
  if (serving.kind === "taken") {
    call.complain(`${serving.detail}: stop what listens there, or set PORT to another`);
    return EXIT.failed;
  }
  parts.lifecycle.add("web", () => serving.stop());
  call.say(welcome(serving.url, made));
  return EXIT.done;
}

function welcome(url: string, made: string | null): string {
  const account = made
    ? `account admin, password ${made}  (shown this once; change it with: npx trawl users passwd admin)`
    : "account admin";
  return [
    `Trawl ${version} is ready: ${url}`,
    `Console: ${url}/admin  ${account}`,
    "Add a seed: npx trawl seed https://example.org/",
  ].join("\n");
}

/** Ends at a signal; a process whose only role is crawl also when its carrier stays away. */
function untilStopped(call: Call, breaker: Breaker, crawlsOnly: boolean): Promise<ExitCode> {
  return new Promise((done) => {
    const { signal, config } = call;
    if (signal.aborted) return done(EXIT.done);
    signal.addEventListener("abort", () => done(EXIT.done), { once: true });
    if (!crawlsOnly) return;
    let grace: ReturnType<typeof setTimeout> | undefined;
    breaker.onOpen((part) => {
      if (part !== "carrier") return;
      grace ??= setTimeout(() => {
        call.complain("the carrier stayed away: nothing to crawl without it");
        done(EXIT.carrierLost);
      }, config.work.carrierGraceMs);
    });
    breaker.onClose(() => {
      clearTimeout(grace);
      grace = undefined;
    });
  });
}

function readRoles(option: string | boolean | undefined): Role[] {
  if (option === undefined) return [...ROLES];
  const named = String(option).split(",");
  const roles = named.map((each) => each.trim()).filter(Boolean);
  const unknown = roles.filter((role) => !ROLES.includes(role as Role));
  if (unknown.length > 0 || roles.length === 0) {
    throw new UsageError(`--roles: ${JSON.stringify(option)} is not a list of ${ROLES.join(", ")}`);
  }
  return [...new Set(roles as Role[])];
}

/** Looked at before anything is started: a clash must not cost a minute of starting. */
function isFree(host: string, port: number): Promise<boolean> {
  if (port === 0) return Promise.resolve(true);
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => done(error.code !== "EADDRINUSE"));
    probe.listen(port, host, () => probe.close(() => done(true)));
  });
}
