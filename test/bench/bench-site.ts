import { type Site, startSite } from "../support/site.ts";

/** Options of every bench that crawls the synthetic web, for `parseArgs`. */
export const SITE_OPTIONS = {
  hosts: { type: "string", default: "50" },
  /** The same as hosts: each has one request in flight. */
  concurrency: { type: "string" },
  /** Of each host. */
  pages: { type: "string", default: "200" },
  links: { type: "string", default: "30" },
  kb: { type: "string", default: "12" },
  /** Real pages instead of made ones. */
  "html-dir": { type: "string" },
  /** The crawl ends after so many pages. */
  max: { type: "string", default: "5000" },
} as const;

type Values = Partial<Record<keyof typeof SITE_OPTIONS, string | undefined>>;

export interface CrawlSize {
  hosts: number;
  /** Of each host. */
  pages: number;
  links: number;
  kb: number;
  htmlDir?: string;
  max: number;
}

export function sizeOf(values: Values): CrawlSize {
  const count = (name: keyof typeof SITE_OPTIONS, text: string | undefined): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} ${text}: not a count`);
    return value;
  };
  const hosts = count("hosts", values.concurrency ?? values.hosts);
  const pages = count("pages", values.pages);
  const htmlDir = values["html-dir"];
  return {
    hosts,
    pages,
    links: count("links", values.links),
    kb: count("kb", values.kb),
    ...(htmlDir === undefined ? {} : { htmlDir }),
    max: Math.min(count("max", values.max), hosts * pages),
  };
}

/** All pages are made before anybody is measured, unless so many are too many to be kept. */
export async function openSite(size: CrawlSize, { warm = true } = {}): Promise<Site> {
  const site = await startSite({ ...size, ...(warm ? { warm } : { keep: 0 }) });
  if (site === null) throw new Error("the synthetic site is not there (see test/README.md)");
  return site;
}

/** Where every crawler begins. */
export function frontPages(site: Site, { hosts }: CrawlSize): string[] {
  return Array.from({ length: hosts }, (_, h) => site.page(h));
}
