import { createServer } from "node:net";
import { systemClock } from "../clock.ts";
import type { Breaker } from "../crawl/breaker.ts";
import { startHandedWork } from "../crawl/hand-over.ts";
import { PolicyCache } from "../crawl/policy.ts";
import { lowerEngineThreads } from "../engine-threads.ts";
import { createApp } from "../http/app.ts";
import { publicFamilies } from "../http/public.ts";
import { serve } from "../http/serve.ts";
import { LoopLagMeter } from "../loop-lag.ts";
import { loadSynonyms } from "../search/synonym-files.ts";
import { version } from "../version.ts";
import { ensureAdmin } from "./admin-account.ts";
import { CARRIER_LOST, CarrierWatch } from "./carrier-watch.ts";
import { type Call, type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { whyNameless } from "./identity.ts";
import { openCarrier, openParts, operateDeps, type Parts, startBreaker } from "./parts.ts";
import { openRanking } from "./ranking-parts.ts";
import { startCrew, startEnrich, startSchedule } from "./roles.ts";
import { withTurnsThatFit } from "./turns-fit.ts";
import { httpDeps, publicDeps } from "./web-deps.ts";

const ROLES = ["web", "crawl", "enrich", "schedule"] as const;
type Role = (typeof ROLES)[number];

/** Commands that wait for their answer must be answered before everything else is closed. */
const COMMANDS_CLOSE_MS = 2_000;
const CARRIER_LOOK_MS = 250;
const FOR_LONG_MS = 86_400_000;

export const startCommand: Command = {
  name: "start",
  usage: "[--roles web,crawl,enrich,schedule]",
  summary: "run everything, or some roles",
  options: { roles: { type: "string" } },
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    const roles = readRoles(call.options.roles);
    const fitted = roles.includes("crawl") ? withTurnsThatFit(call, roles) : call;
    if (fitted === null) return EXIT.failed;
    const clash = roles.includes("web") ? await whyNoListening(call.config.web) : null;
    if (clash !== null) {
      call.complain(clash);
      return EXIT.failed;
    }
    const opened = await openParts(call, call.say);
    if (opened.kind === "failed") {
      if (call.signal.aborted) return EXIT.done;
      call.complain(opened.message);
      return EXIT.failed;
    }
    try {
      return await run(fitted, opened.value, roles);
    } finally {
      await opened.value.lifecycle.stop();
    }
  },
};

async function run(call: Call, parts: Parts, roles: readonly Role[]): Promise<ExitCode> {
  const { config, log } = call;
  parts.lifecycle.add("engine threads", lowerEngineThreads().stop);
  const backend = await openCarrier(call, parts);
  const breaker = startBreaker(call, parts, backend);
  const operate = operateDeps(call, parts);
  const handed = startHandedWork(operate, backend, log);
  parts.lifecycle.add("commands", async () => void (await handed.close(COMMANDS_CLOSE_MS)));
  if (roles.includes("crawl")) await startCrew(call, parts, { backend, breaker, roles });
  if (roles.includes("schedule")) await startSchedule(call, parts, { backend, breaker });
  if (roles.includes("enrich")) startEnrich(call, parts, { backend, breaker });
  if (roles.includes("web")) {
    const listening = await startWeb(call, parts, breaker, roles);
    if (listening !== EXIT.done) return listening;
  } else {
    call.answer({ version, roles }, `Trawl ${version} runs: ${roles.join(", ")}`);
  }
  const nameless = roles.includes("crawl") ? await whyNameless(config, parts.database.db) : null;
  if (nameless !== null) {
    if (process.stderr.isTTY) call.note(nameless);
    else log.warn("identity.missing", { hint: nameless });
  }
  const crawlsOnly = roles.every((role) => role === "crawl");
  return await untilStopped(call, breaker, crawlsOnly);
}

async function startWeb(
  call: Call,
  parts: Parts,
  breaker: Breaker,
  roles: readonly Role[],
): Promise<ExitCode> {
  const { config, log } = call;
  const operate = operateDeps(call, parts);
  const policy = new PolicyCache({ ...operate, log });
  await policy.start();
  parts.lifecycle.add("policy", () => policy.stop());
  const made = await ensureAdmin(parts.database.db, config.web.adminPassword);
  for (const problem of loadSynonyms().problems) log.warn("synonyms.faulty", { problem });
  const loopLag = new LoopLagMeter();
  loopLag.start();
  parts.lifecycle.add("loop lag", () => loopLag.stop());
  const { watch, queries } = await openRanking(call, parts);
  const web = { operate, policy, breaker, loopLag, watch, queries };
  const app = createApp(httpDeps(call, web), publicFamilies(publicDeps(call, web)));
  const serving = serve(app, config.web);
  if (serving.kind === "taken") {
    call.complain(`${serving.detail}: set HOST and PORT to what is free on this machine`);
    return EXIT.failed;
  }
  parts.lifecycle.add("web", () => serving.stop());
  const { url } = serving;
  const account = made === null ? {} : { admin_password: made };
  call.answer({ version, roles, url, ...account }, welcome(url, made));
  return EXIT.done;
}

function welcome(url: string, made: string | null): string {
  const once = "(shown this once; change it with: npx trawl users passwd admin)";
  const account = made ? `account admin, password ${made}  ${once}` : "account admin";
  return [
    `Trawl ${version} is ready: ${url}`,
    `Console: ${url}/admin  ${account}`,
    "Add a seed: npx trawl seed https://example.org/",
  ].join("\n");
}

/** Ends at a signal; a process whose only role is crawl also when its carrier stays away. */
async function untilStopped(call: Call, breaker: Breaker, crawlsOnly: boolean): Promise<ExitCode> {
  const carrier = new CarrierWatch(breaker, call.config.work.carrierGraceMs);
  while (!call.signal.aborted) {
    if (crawlsOnly && carrier.isLost()) {
      call.complain(CARRIER_LOST);
      return EXIT.carrierLost;
    }
    await systemClock.sleep(crawlsOnly ? CARRIER_LOOK_MS : FOR_LONG_MS, call.signal);
  }
  return EXIT.done;
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

/**
 * Tried before anything is started, for a clash must not cost a minute of starting; null: one can
 * listen there.
 */
function whyNoListening({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      done(explainClash(error.code ?? error.message, host, port));
    });
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
}

function explainClash(code: string, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `${host}:${port} is taken: stop what listens there, or set PORT to another`;
    case "EACCES":
      return `this account may not listen on port ${port}: set PORT to 1024 or above`;
    default:
      return `HOST ${host} is no address of this machine (${code}): set it to one, as 127.0.0.1`;
  }
}
