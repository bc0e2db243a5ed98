import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds, by all its rules or by these alone. */
export async function faults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // Scripts of the test pass the CSP only as an evaluation by the debugger.
  await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    const { violations } = await axe.run(only.length === 0 ? {} : { runOnly: [...only] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, rules);
}

/** How far a page is wider than its window, or what stands in a card wider than that, px. */
export const overflow = (page: Page) =>
  page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll(".card")];
    return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  });
