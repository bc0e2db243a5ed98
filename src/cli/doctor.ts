import type { Breaker, Health, PartName } from "../crawl/breaker.ts";
import { reconcile } from "../crawl/reconcile.ts";
import { conservation } from "../db/counts.ts";
import { Model } from "../enrich/model.ts";
import { loadSynonyms } from "../search/synonym-files.ts";
import { type Call, type Command, EXIT, type ExitCode } from "./command.ts";
import { whyNameless } from "./identity.ts";
import { type Parts, withLook } from "./parts.ts";

interface Finding {
  name: string;
  ok: boolean;
  detail: string;
  /** How to mend it; of what is ok how to do better. */
  mend: string | null;
}

const MEND: Record<PartName, string> = {
  postgres: "see postgres.log under DATA_DIR, or the server of DATABASE_URL",
  carrier: "see the server of REDIS_URL; without it the queues live in Postgres",
  index: "see whether another program holds search.sqlite, and whether the disk is full",
  disk: "free some space, or lower DISK_MIN_FREE_MB",
};

export const doctorCommand: Command = {
  name: "doctor",
  usage: "",
  summary: "check every part and setting, and say how to mend what fails",
  options: {},
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    return await withLook(call, async (parts, breaker) => {
      const findings = [
        ...partFindings(breaker),
        { name: "settings", ok: true, detail: "all can be used", mend: null },
        synonymsFinding(),
        await modelFinding(call),
        await identityFinding(call, parts),
        await conservationFinding(parts),
        await indexFinding(parts),
      ];
      call.answer(findings, findings.map(line).join("\n"));
      return findings.every((finding) => finding.ok) ? EXIT.done : EXIT.failed;
    });
  },
};

function partFindings(breaker: Breaker): Finding[] {
  return (Object.keys(MEND) as PartName[]).map((name) => {
    const health: Health = breaker.health(name);
    const ok = health === "up" || health === "slow";
    return { name, ok, detail: health, mend: ok ? null : MEND[name] };
  });
}

function synonymsFinding(): Finding {
  const { problems } = loadSynonyms();
  const ok = problems.length === 0;
  const detail = ok ? "all files can be used" : problems.join("; ");
  const mend = ok ? null : "mend what is named; searches go on without the words of such a file";
  return { name: "synonyms", ok, detail, mend };
}

async function modelFinding({ config }: Call): Promise<Finding> {
  if (config.ollama === null) {
    return { name: "ollama", ok: true, detail: "off: OLLAMA_URL is unset", mend: null };
  }
  const health = await new Model(config.ollama).health();
  switch (health.kind) {
    case "up":
      return { name: "ollama", ok: true, detail: `up, has ${config.ollama.model}`, mend: null };
    case "down":
      return {
        name: "ollama",
        ok: false,
        detail: `down: ${health.detail}`,
        mend: "start the server of OLLAMA_URL, or leave it unset; nothing but summaries waits",
      };
    case "no model":
      return {
        name: "ollama",
        ok: false,
        detail: health.detail,
        mend: `there: ollama pull ${config.ollama.model}`,
      };
    default:
      return health satisfies never;
  }
}

/** A warning and no failure: everything works, but sites cannot see who asks them. */
async function identityFinding({ config }: Call, { database }: Parts): Promise<Finding> {
  const nameless = await whyNameless(config, database.db);
  const detail = nameless === null ? config.userAgent : "PUBLIC_URL is unset";
  return { name: "identity", ok: true, detail, mend: nameless };
}

async function conservationFinding({ database }: Parts): Promise<Finding> {
  const { accepted, present, removed } = await conservation(database.db);
  const ok = accepted === present + removed;
  const detail = `accepted ${accepted} = present ${present} + removed ${removed}`;
  const mend = ok ? null : "URLs were lost or made outside Trawl: restore a backup, or report this";
  return { name: "conservation", ok, detail, mend };
}

async function indexFinding({ database, index }: Parts): Promise<Finding> {
  const { missing, orphan, stale } = await reconcile({ db: database.db, index });
  const ok = missing + orphan + stale === 0;
  const detail = `missing ${missing}, orphan ${orphan}, stale ${stale}`;
  return { name: "index = store", ok, detail, mend: ok ? null : "run: trawl reconcile --repair" };
}

function line({ name, ok, detail, mend }: Finding): string {
  const verdict = ok ? (mend ? "warn" : "ok  ") : "FAIL";
  return `${verdict}  ${name.padEnd(14)}  ${detail}${mend ? `\n      ${mend}` : ""}`;
}
