import type { Config } from "../config.ts";
import { type Cidr, parseCidrs } from "../fetch/address.ts";

/** The ranges that an operator opened; the settings have checked their form. */
export function allowedCidrs(config: Config): Cidr[] {
  const parsed = parseCidrs(config.fetch.allowCidrs.join(","));
  if (parsed.kind === "invalid") throw new Error(`the settings let ${parsed.entry} pass as a CIDR`);
  return parsed.cidrs;
}
