import { isIP } from "node:net";
import { BEARER_TOKEN, whyNoPassword } from "./credentials.ts";
import { readRanking } from "./ranking.ts";
import type { SettingName } from "./settings.ts";

export type SettingValues = Record<SettingName, string | number | null>;

const TOKEN_LENGTH_MIN = 16;

/** What no schema of one setting can tell, each with how to mend it. */
export function crossProblems(values: SettingValues): string[] {
  const problems: string[] = [];
  const say = (name: SettingName, what: string) => problems.push(`${name}: ${what}`);
  if (values.CRAWL_SCOPE === "region" && values.REGION === null) {
    say("CRAWL_SCOPE", "region needs REGION, the name of a profile in seeds/regions");
  }
  if (values.REGION !== null && !isRegionName(String(values.REGION))) {
    say("REGION", `${JSON.stringify(values.REGION)} is no name of a profile, such as quebec`);
  }
  const ranked = readRanking(String(values.RANKING ?? ""));
  for (const problem of ranked.problems) say("RANKING", problem);
  if (values.RENDER === "auto") say("RENDER", "auto is not built yet; leave it off");
  if (values.TYPESENSE_URL !== null) {
    say("TYPESENSE_URL", "Typesense is not supported yet; leave it unset for the embedded index");
  }
  const model = values.OLLAMA_MODEL;
  if (model === null ? values.OLLAMA_URL !== null : !/^[\w.:/@-]{1,200}$/.test(String(model))) {
    say("OLLAMA_MODEL", "must be the name of a model that OLLAMA_URL has, such as llama3.2");
  }
  if (!isHost(String(values.HOST))) {
    say("HOST", `${JSON.stringify(values.HOST)} is no host name or IP address (default 127.0.0.1)`);
  }
  problems.push(...addressProblems(values), ...credentialProblems(values));
  for (const name of ["TRUSTED_PROXIES", "FETCH_ALLOW_CIDRS"] as const) {
    for (const cidr of list(values[name])) {
      if (!isCidr(cidr)) say(name, `${JSON.stringify(cidr)} is no CIDR (such as 10.0.0.0/8)`);
    }
  }
  for (const server of list(values.DNS_SERVERS)) {
    if (!isServer(server)) say("DNS_SERVERS", `${JSON.stringify(server)} is no address:port`);
  }
  if (
    values.USER_AGENT !== null &&
    !/^[A-Za-z_-]+(\/|\s|$)[\x20-\x7e]*$/.test(`${values.USER_AGENT}`)
  ) {
    say("USER_AGENT", "must begin with a product token of letters, - and _ and be plain ASCII");
  }
  if (Number(values.RECRAWL_MIN_MS) > Number(values.RECRAWL_MAX_MS)) {
    say("RECRAWL_MIN_MS", "is above RECRAWL_MAX_MS");
  }
  return problems;
}

function addressProblems(values: SettingValues): string[] {
  const problems: string[] = [];
  const urls = {
    PUBLIC_URL: ["http:", "https:"],
    DATABASE_URL: ["postgres:", "postgresql:"],
    REDIS_URL: ["redis:", "rediss:"],
    OLLAMA_URL: ["http:", "https:"],
  };
  for (const [name, schemes] of Object.entries(urls)) {
    const raw = values[name as SettingName];
    if (raw === null) continue;
    const url = URL.parse(String(raw));
    if (!url || !schemes.includes(url.protocol)) {
      problems.push(`${name}: must be an address that begins with ${schemes.join("// or ")}//`);
    } else if (name === "PUBLIC_URL" && (url.username || url.password || /[?#]/.test(url.href))) {
      // It is told to everybody, and paths are put behind it.
      problems.push(`${name}: must have no user name, password, ? or #`);
    }
  }
  return problems;
}

/** What the web server could never read is of no use as a credential. */
function credentialProblems(values: SettingValues): string[] {
  const problems: string[] = [];
  const { API_TOKEN: token, ADMIN_PASSWORD: password } = values;
  if (token !== null && (`${token}`.length < TOKEN_LENGTH_MIN || !BEARER_TOKEN.test(`${token}`))) {
    const wanted = "16 to 500 letters, digits and signs of plain ASCII without spaces";
    problems.push(`API_TOKEN: the value given is not ${wanted} (or leave it unset)`);
  }
  const why = password === null ? null : whyNoPassword(String(password));
  if (why !== null) problems.push(`ADMIN_PASSWORD: a password ${why} (or leave it unset)`);
  return problems;
}

export function list(value: string | number | null): string[] {
  return value === null
    ? []
    : String(value)
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean);
}

export const isRegionName = (text: string): boolean => /^[a-z][a-z0-9-]{0,40}$/.test(text);

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text);
}

function isCidr(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

function isServer(text: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  return match !== null && isIP(match[1] ?? match[2]!) !== 0 && Number(match[3] ?? 53) <= 65_535;
}
