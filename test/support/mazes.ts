import type { Origin } from "./origin.ts";

/** Sites in which a crawler can go on for ever; each answers all paths below its own. */

const NOT_FOUND = () => new Response("404", { status: 404 });

/** A page of these paragraphs with these links. */
export function pageOf(title: string, paragraphs: readonly string[], links: readonly string[]) {
  const anchors = links.map((href) => `<a href="${href.replaceAll("&", "&amp;")}">more</a>`);
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>
    <h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}</main>
    <nav>${anchors.join(" ")}</nav></body></html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

const SYLLABLES = "ka lo mi ne ru ta so vi pe du ga fo li ma no ri te su va po".split(" ");

/** Words that no other number brings, always the same ones. */
export function ownWords(of: number, count: number): string {
  let state = (of + 1) * 2_654_435_761;
  const next = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 40_503) >>> 0;
    return state % below;
  };
  const word = () =>
    Array.from({ length: 2 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join("");
  return Array.from({ length: count }, word).join(" ");
}

export const FACETS: Readonly<Record<string, readonly string[]>> = {
  color: ["red", "green", "blue", "black", "white"],
  size: ["small", "medium", "large", "huge", "tiny"],
  brand: ["acme", "globex", "initech", "umbrella", "hooli"],
  fabric: ["cotton", "wool", "linen", "silk", "denim"],
  season: ["spring", "summer", "autumn", "winter", "always"],
  price: ["cheap", "fair", "dear", "mad", "free"],
};
export const PRODUCTS = 60;
const NAMES = Object.keys(FACETS);

const choiceOf = (product: number, facet: number): string => {
  const values = FACETS[NAMES[facet]!]!;
  return values[(product * (facet + 3) + Math.floor(product / (facet + 2))) % values.length]!;
};

/**
 * A shop that lists `atOnce` products of each choice of facets on a page: 6^6 choices, an unset one
 * among them. Its front page has the facets alone.
 */
export function shop(origin: Origin, host: string, atOnce: number): void {
  const listing = (query: string) => {
    const { chosen, fits, shown, from } = choice(query, atOnce);
    const links = shown.map((product) => `/product/${product}`);
    const bare = query.replace(/&page=.*/, "");
    const isMore = chosen.size > 0 && from + atOnce < fits.length;
    if (isMore) links.push(`/shop?${bare}&page=${from / atOnce + 1}`);
    for (const name of NAMES) {
      for (const value of FACETS[name]!) {
        if (chosen.get(name) === value) continue;
        const next = new Map([...chosen, [name, value]] as [string, string][]);
        const pairs = NAMES.filter((each) => next.has(each));
        links.push(`/shop?${pairs.map((each) => `${each}=${next.get(each)}`).join("&")}`);
      }
    }
    const said = [...chosen].map(([name, value]) => `${name}: ${value}`).join(", ");
    const heading = `Shop ${said}`;
    const items = shown.map((product) => `Item ${product} ${ownWords(product, 6)}`);
    return pageOf(heading, [`${fits.length} products of ${PRODUCTS}, ${said}.`, ...items], links);
  };
  const product = (number: number) =>
    pageOf(`Product ${ownWords(number, 2)}`, [ownWords(number, 60), LEGAL], ["/shop"]);
  serve(origin, host, (path, query) => {
    if (path === "/" || path === "/shop") return listing(query);
    const number = Number(/^\/product\/(\d+)$/.exec(path)?.[1] ?? -1);
    return number >= 0 && number < PRODUCTS ? product(number) : NOT_FOUND();
  });
}

/** Paths of the products that a page of the shop lists. */
export function productsOn(path: string, atOnce: number): string[] {
  if (!path.startsWith("/shop?")) return [];
  return choice(path.slice(path.indexOf("?") + 1), atOnce).shown.map((n) => `/product/${n}`);
}

function choice(query: string, atOnce: number) {
  const chosen = new Map(new URLSearchParams(query));
  const from = Number(chosen.get("page") ?? 0) * atOnce;
  const all = Array.from({ length: PRODUCTS }, (_, product) => product);
  const fits = all.filter((product) =>
    NAMES.every((name, at) => !chosen.has(name) || chosen.get(name) === choiceOf(product, at)),
  );
  return { chosen, fits, from, shown: chosen.size === 0 ? [] : fits.slice(from, from + atOnce) };
}

/** What stands below each product and article of a site. */
export const LEGAL = ownWords(1_000_003, 200);

export const THREADS = 30;

/** A forum that gives each link a new session and lists its threads in five orders. */
export function forum(origin: Origin, host: string): void {
  let session = 0;
  const linkTo = (path: string, query: string) => `${path}?${query}&sid=s${++session}`;
  const listing = (threads: number[]) => {
    const links = threads.flatMap((n) => [
      linkTo("/thread", `id=${n}`),
      linkTo("/thread", `id=${n}&sort=newest`),
      linkTo("/thread", `id=${n}&sort=oldest`),
    ]);
    for (const sort of ["title", "author", "date", "replies", "views"]) {
      links.push(linkTo("/", `sort=${sort}`));
    }
    return pageOf(
      "Forum",
      threads.map((n) => `Thread ${n}: ${ownWords(n, 5)}`),
      links,
    );
  };
  const all = Array.from({ length: THREADS }, (_, n) => n);
  serve(origin, host, (path, query) => {
    const asked = new URLSearchParams(query);
    if (path === "/") return listing(asked.get("sort") === "title" ? all.toReversed() : all);
    const id = Number(asked.get("id") ?? -1);
    if (path !== "/thread" || id < 0 || id >= THREADS) return NOT_FOUND();
    const posts = [0, 1, 2].map((post) => ownWords(500 + id * 3 + post, 25));
    if (asked.get("sort") === "newest") posts.reverse();
    const links = [linkTo("/", "sort=date"), linkTo("/thread", `id=${(id + 1) % THREADS}`)];
    for (const sort of ["newest", "oldest"]) links.push(linkTo("/thread", `id=${id}&sort=${sort}`));
    return pageOf(`Thread ${id}`, posts, links);
  });
}

/** Answers every path of a host. */
export function serve(
  origin: Origin,
  host: string,
  answer: (path: string, query: string) => Response,
): void {
  const script = ({ path }: { path: string }) => {
    if (path === "/robots.txt") return NOT_FOUND();
    const question = path.indexOf("?");
    return question < 0
      ? answer(path, "")
      : answer(path.slice(0, question), path.slice(question + 1));
  };
  origin.host(host, new Proxy({}, { get: () => script }));
}
