/**
 * The least that a crawler does: fetch, parse, and a Set of the URLs seen; no robots.txt, no store,
 * no index. One request a host at a time. Prints one JSON object, as the peers do.
 *
 *   bun test/bench/bare-crawler.ts --max 5000 < front-pages.txt
 */
import { parseArgs } from "node:util";
import { Parser } from "htmlparser2";
import { round } from "./figures.ts";

interface Page {
  title: string;
  text: string;
  links: string[];
}

/** Elements whose text nobody reads. */
const UNREAD = new Set(["script", "style"]);

function read(html: string): Page {
  const page: Page = { title: "", text: "", links: [] };
  let within = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      within = name;
      if (name === "a" && attributes.href !== undefined) page.links.push(attributes.href);
    },
    ontext(data) {
      if (within === "title") page.title += data;
      else if (!UNREAD.has(within)) page.text += data;
    },
    onclosetag() {
      within = "";
    },
  });
  parser.end(html);
  return page;
}

/** Each host has a lane, which ends when it has nothing to ask, and begins anew with a link. */
class BareCrawl {
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, string[]>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #max: number;
  pages = 0;
  characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async run(urls: readonly string[]): Promise<void> {
    for (const url of urls) this.#admit(new URL(url));
    while (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  #admit(url: URL): void {
    url.hash = "";
    if (this.#seen.has(url.href)) return;
    this.#seen.add(url.href);
    const { host } = url;
    const waiting = this.#waiting.get(host);
    if (waiting) waiting.push(url.href);
    else this.#waiting.set(host, [url.href]);
    if (!this.#running.has(host)) this.#running.set(host, this.#lane(host));
  }

  async #lane(host: string): Promise<void> {
    const waiting = this.#waiting.get(host)!;
    // What admits a first URL goes on before its host is asked.
    await Promise.resolve();
    for (let at = 0; at < waiting.length && this.pages < this.#max; at++) {
      await this.#visit(waiting[at]!);
    }
    this.#waiting.delete(host);
    this.#running.delete(host);
  }

  async #visit(url: string): Promise<void> {
    const response = await fetch(url);
    const html = await response.text();
    if (!response.ok) return;
    const page = read(html);
    this.pages++;
    this.characters += page.title.length + page.text.length;
    for (const link of page.links) {
      const target = URL.parse(link, url);
      if (target !== null) this.#admit(target);
    }
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { max: { type: "string", default: "5000" } } });
  const fronts = (await Bun.stdin.text()).split("\n").filter(Boolean);
  const crawl = new BareCrawl(Number(values.max));
  const [began, cpuBefore] = [performance.now(), process.cpuUsage()];
  await crawl.run(fronts);
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpu = (user + system) / 1e6;
  console.log(
    JSON.stringify({
      peer: "bare loop",
      pages: crawl.pages,
      seconds: round(seconds, 2),
      pages_per_second: round(crawl.pages / seconds, 1),
      cpu_seconds: round(cpu, 2),
      pages_per_cpu_second: round(crawl.pages / cpu, 1),
      characters: crawl.characters,
    }),
  );
  process.exit(0);
}
