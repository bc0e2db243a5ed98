import { Program } from "../support/program.ts";
import { until } from "../support/until.ts";
import { statusOf } from "../support/whole-crawl.ts";
import type { Ask } from "./ask.ts";
import { pageOf, type Text } from "./cacm.ts";

const LINKS_OF_A_PAGE = 200;
const AT_ONCE = "16";

/** Served as a web site on loopback, crawled by the program, asked through its API. */
export async function crawlTexts(
  texts: readonly Text[],
): Promise<{ ask: Ask; close(): Promise<void> }> {
  const pages = new Map(texts.map((text) => [`/${text.id}.html`, pageOf(text)]));
  const lists = Math.ceil(texts.length / LINKS_OF_A_PAGE);
  for (let nth = 0; nth < lists; nth++) pages.set(`/list-${nth}.html`, listOf(texts, nth));
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const page = pages.get(new URL(request.url).pathname);
      if (page === undefined) return new Response("not here", { status: 404 });
      return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
    },
  });
  const program = new Program({
    env: {
      CRAWL_DELAY_MS: "0",
      CRAWL_IP_CONCURRENCY: AT_ONCE,
      CRAWL_HOST_CONCURRENCY: AT_ONCE,
      FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    },
  });
  const close = async () => {
    await program.stop();
    await site.stop(true);
  };
  try {
    await program.start();
    const seeded = await program.run("seed", `http://127.0.0.1:${site.port}/list-0.html`);
    if (seeded.code !== 0) throw new Error(`not seeded: ${seeded.err}`);
    const isOver = async () => {
      const { indexed, urls } = await statusOf(program);
      return (indexed ?? 0) >= texts.length && urls?.due === 0 && urls.in_progress === 0;
    };
    await until(isOver, { timeoutMs: 180_000, what: "the end of the crawl" });
    // The frequencies of words lag by seconds; at the end they are written.
    await program.stop({ keep: true });
    await program.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { ask: asking(program), close };
}

/** A list of some texts with links to them and to the next list. */
function listOf(texts: readonly Text[], nth: number): string {
  const some = texts.slice(nth * LINKS_OF_A_PAGE, (nth + 1) * LINKS_OF_A_PAGE);
  const links = some.map(({ id }) => `<a href="/${id}.html">.</a>`);
  const next = `<a href="/list-${nth + 1}.html">.</a>`;
  return `<!doctype html><title>.</title><p>${links.join(" ")} ${next}</p>`;
}

const asking =
  (program: Program): Ask =>
  async (query, count = 100) => {
    const params = new URLSearchParams({ q: query, collapse: "none", per_page: `${count}` });
    const { hits } = await program.api<{ hits: { url: string }[] }>(`/api/search?${params}`);
    return hits.flatMap(({ url }) => /CACM-\d+/.exec(url)?.[0] ?? []);
  };
