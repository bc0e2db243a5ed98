import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Installed, ordinaryAccount, rest } from "../support/installed.ts";
import { sharesOf, totalMb } from "../support/memory.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(600_000);

const READY_MS = 60_000;
const IDLE_MS = 20_000;
const LIMIT_MB = 400;

type Whom = "terminal" | "runner";
const CASES: [name: string, make: () => Installed | null, stoppedBy: Whom][] = [
  ["by whoever runs this, in a temporary folder", () => new Installed(), "terminal"],
  ["below a folder of mode 0700", () => new Installed({ below: 0o700 }), "runner"],
  ["by an ordinary user", asOrdinaryUser, "terminal"],
  ["with Bun, without Node", () => new Installed({ runner: "bun" }), "runner"],
];

function asOrdinaryUser(): Installed | null {
  const owner = ordinaryAccount();
  if (owner === null) console.warn("skipped: only root can be another user too");
  return owner && new Installed({ owner });
}

describe.each(CASES)("install and start on a fresh clone, %s", (name, make, stoppedBy) => {
  const installed = make();
  afterAll(() => installed?.remove());

  test.skipIf(installed === null)(
    "answers within a minute, rests in 400 MB, ends at Ctrl-C",
    async () => {
      const here = installed!;
      const installMs = await here.install();
      const readyMs = await here.start(READY_MS);
      await rest(IDLE_MS);
      const shares = sharesOf(here.processes());
      const report = { name, installMs, readyMs, pssMb: totalMb(shares) };
      console.info(JSON.stringify(report));
      for (const { pssKb, command } of shares) console.info(`  ${pssKb} kB  ${command}`);
      expect(here.output).toContain("account admin, password ");
      expect((await fetch(`${here.url}/search?q=anything`)).status).toBe(200);
      expect(
        shares.filter(({ command }) => command.startsWith("postgres:")).length,
      ).toBeGreaterThan(0);
      expect(report.pssMb).toBeLessThan(LIMIT_MB);
      await here.interrupt(stoppedBy);
      await until(() => here.processes().length === 0, {
        timeoutMs: 15_000,
        what: "the end of every process",
      });
      expect(here.output).toContain("postgres.stopped");
    },
  );
});
