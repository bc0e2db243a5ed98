import type { MachineUse } from "./robots.ts";
import { comparablePattern } from "./robots-path.ts";

export interface RobotsRule {
  readonly allow: boolean;
  /** In the form of robots-path.ts. */
  readonly pattern: string;
}

/** What the groups for one token say together, and what stands outside of groups. */
export interface RobotsGroups {
  readonly rules: readonly RobotsRule[];
  readonly crawlDelayMs: number | null;
  readonly signals: MachineUse;
  readonly sitemaps: readonly string[];
}

/**
 * Groups by RFC 9309 section 2.1: a group is its User-agent lines and the rules behind them; other
 * records do not end it. Groups for the same agent are one. Those that name us hold, else those for
 * `*`. Signals are an opt-out: what our own group leaves open, those for everybody decide.
 */
export function parseGroups(text: string, token: string): RobotsGroups {
  const reader = new Reader(token);
  const lines = text.includes("\r") ? text.split(/\r\n?|\n/) : text.split("\n");
  for (const line of lines) reader.read(line);
  reader.endGroup();
  const audience = reader.ours.isNamed ? reader.ours : reader.everybody;
  return {
    rules: audience.rules,
    crawlDelayMs: audience.delayMs,
    signals: mergedSignals([reader.ours, reader.everybody, reader.nobody]),
    sitemaps: reader.sitemaps,
  };
}

/** Those whom lines are for: us by name, everybody by `*`, or outside of any group. */
class Audience {
  isNamed = false;
  readonly rules: RobotsRule[] = [];
  delayMs: number | null = null;
  readonly signals: Partial<MachineUse> = {};

  /** The longer of two delays holds. */
  addDelay(ms: number): void {
    this.delayMs = Math.max(this.delayMs ?? 0, ms);
  }
}

interface Delay {
  readonly ms: number;
  /** Audiences named since the delay before it: whom it stands under. */
  readonly for: ReadonlySet<Audience>;
}

/** Longer patterns, without their stars, match no URL that we have. */
const PATTERN_CHARS_MAX = 6_000;
/** Each star multiplies the work of a match, and a path may be asked about every such rule. */
const STARS_MAX = 20;
const STARRED_MAX = 500;
const SITEMAP_LINES_MAX = 5_000;

class Reader {
  readonly ours = new Audience();
  readonly everybody = new Audience();
  readonly nobody = new Audience();
  readonly sitemaps: string[] = [];
  private readonly token: string;
  private group = new Set<Audience>();
  private lately = new Set<Audience>();
  private delays: Delay[] = [];
  private starred = 0;
  private hasAgents = false;
  private hasRules = false;

  constructor(token: string) {
    this.token = token;
  }

  read(line: string): void {
    const record = recordOf(line);
    if (record === null) return;
    const { key, value } = record;
    switch (KEYS.get(key)) {
      case "agent":
        this.onAgent(value);
        break;
      case "allow":
        this.onRule(true, value);
        break;
      case "disallow":
        this.onRule(false, value);
        break;
      case "delay":
        this.onDelay(value);
        break;
      case "signal":
        this.onSignal(value);
        break;
      case "sitemap":
        if (value !== "" && this.sitemaps.length < SITEMAP_LINES_MAX) this.sitemaps.push(value);
    }
  }

  /** Delays are settled when all agents of the group are known. */
  endGroup(): void {
    for (const audience of this.group) {
      const own = this.delays.filter((delay) => delay.for.has(audience));
      for (const { ms } of own.length > 0 ? own : this.delays) audience.addDelay(ms);
    }
    this.group = new Set();
    this.lately = new Set();
    this.delays = [];
    this.hasAgents = this.hasRules = false;
  }

  private onAgent(value: string): void {
    if (this.hasRules) this.endGroup();
    this.hasAgents = true;
    const audience = this.audienceOf(value);
    if (audience === null) return;
    audience.isNamed = true;
    this.group.add(audience);
    this.lately.add(audience);
  }

  /** The product token at the start of the value: `Trawl/2.0 (…)` and `Trawl bot` are Trawl. */
  private audienceOf(value: string): Audience | null {
    if (value.startsWith("*")) return /^\*(?:\s|$)/.test(value) ? this.everybody : null;
    const { token } = this;
    const isOurs =
      value.slice(0, token.length).toLowerCase() === token &&
      !/[a-z_-]/i.test(value.charAt(token.length));
    return isOurs ? this.ours : null;
  }

  private onRule(allow: boolean, value: string): void {
    if (!this.hasAgents) return;
    this.hasRules = true;
    if (this.group.size === 0 || value === "") return;
    const pattern = this.boundedPattern(comparablePattern(value), allow);
    if (pattern === null) return;
    for (const audience of this.group) audience.rules.push({ allow, pattern });
  }

  /**
   * A pattern that costs no more than it is worth, or null when it can match nothing. One of very
   * many stars, or after very many with stars, is cut at one: a Disallow then says a little more,
   * an Allow is left out.
   */
  private boundedPattern(pattern: string, allow: boolean): string | null {
    if (!pattern.includes("*")) return pattern.length > PATTERN_CHARS_MAX ? null : pattern;
    const parts = pattern.split("*");
    if (pattern.length - parts.length > PATTERN_CHARS_MAX) return null;
    const starsMax = ++this.starred > STARRED_MAX ? 0 : STARS_MAX;
    if (parts.length <= starsMax + 1) return pattern;
    return allow ? null : parts.slice(0, starsMax + 1).join("*");
  }

  private onDelay(value: string): void {
    const seconds = Number.parseFloat(value);
    if (!this.hasAgents || !(seconds >= 0)) return;
    const ms = Math.round(Math.min(seconds, DELAY_MAX_S) * 1000);
    this.delays.push({ ms, for: this.lately });
    this.lately = new Set();
  }

  private onSignal(value: string): void {
    const said = signalsOf(value);
    const audiences = this.hasAgents ? this.group : [this.nobody];
    for (const audience of audiences) Object.assign(audience.signals, said);
  }
}

/** A day: a longer one would be for ever. */
const DELAY_MAX_S = 86_400;

/** Records by their names, with the misspellings that Google's parser forgives. */
const KEYS = new Map<string, "agent" | "allow" | "disallow" | "delay" | "signal" | "sitemap">([
  ["user-agent", "agent"],
  ["useragent", "agent"],
  ["user agent", "agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawl-delay", "delay"],
  ["crawldelay", "delay"],
  ["content-signal", "signal"],
  ["content-usage", "signal"],
  ["sitemap", "sitemap"],
  ["site-map", "sitemap"],
]);

/** `key: value # comment`; a missing colon is forgiven between two words. */
function recordOf(line: string): { key: string; value: string } | null {
  const hash = line.indexOf("#");
  const record = (hash < 0 ? line : line.slice(0, hash)).trim();
  const colon = record.indexOf(":");
  if (colon > 0) {
    return {
      key: record.slice(0, colon).trim().toLowerCase(),
      value: record.slice(colon + 1).trim(),
    };
  }
  const words = /^(\S+)\s+(\S+)$/.exec(record);
  return words === null
    ? null
    : { key: (words[1] as string).toLowerCase(), value: words[2] as string };
}

/** `search=yes, ai-train=no`; `train-ai=n` is the same in the words of Content-Usage. */
function signalsOf(value: string): Partial<MachineUse> {
  const signals: Partial<MachineUse> = {};
  for (const [, name, answer] of value.matchAll(/([a-z-]+)\s*=\s*(y|n)[a-z]*/gi)) {
    const isAllowed = answer?.toLowerCase() === "y";
    const key = SIGNAL_NAMES[(name as string).toLowerCase()];
    if (key !== undefined) signals[key] = isAllowed;
  }
  return signals;
}

const SIGNAL_NAMES: Record<string, keyof MachineUse> = {
  search: "search",
  "ai-input": "aiInput",
  "ai-train": "aiTrain",
  "train-ai": "aiTrain",
};

function mergedSignals(audiences: readonly Audience[]): MachineUse {
  const first = (key: keyof MachineUse) =>
    audiences.map((audience) => audience.signals[key]).find((said) => said !== undefined) ?? null;
  return { search: first("search"), aiInput: first("aiInput"), aiTrain: first("aiTrain") };
}
