import { tool } from "./suites.ts";

export interface NameQuestion {
  t: number;
  name: string;
  type: string;
  answer: string;
}

/** A name server of a test's own; the zone's form stands in the tool. */
export interface Names {
  port: number;
  queries: NameQuestion[];
  zone: { names: Record<string, unknown> };
  close(): Promise<void>;
}

/** Null, and a visible line, when the tool is not there. */
export async function startNames(zone: {
  ttl?: number;
  names: Record<string, unknown>;
}): Promise<Names | null> {
  const script = tool("dns-double.ts");
  if (!script) return null;
  const { start } = (await import(script)) as { start(zone: unknown): Promise<Names> };
  return await start(zone);
}
