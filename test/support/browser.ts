import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Chromium from CHROMIUM_PATH or PATH; null, and a visible line, when there is none. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = browserPath();
  if (executablePath === null) {
    console.warn("skipped: no Chromium on PATH (or in CHROMIUM_PATH), browser tests do not run");
    return null;
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 30_000 });
}

export function browserPath(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : null;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;
}
