import { systemClock } from "../../src/clock.ts";
import type { OperateDeps } from "../../src/crawl/move-url.ts";
import { testConfig } from "./crawl.ts";

/** What actions and chores need beside store and index: nobody is woken, nothing is by chance. */
export const operateDeps = <Own extends Pick<OperateDeps, "db" | "index">>(own: Own) => ({
  ...own,
  config: testConfig(),
  clock: systemClock,
  random: () => 0,
  wake: () => {},
});
