import { ownWords } from "./mazes.ts";
import { type Origin, page, robots, type Script, status } from "./origin.ts";

/**
 * A host of so many pages, `/` and `/1` on, each of which leads to ten others, and says 304 to who
 * has it: links that were refused are not told again.
 */
export function treeOf(origin: Origin, host: string, pages: number, filler = ""): void {
  const etag = '"1"';
  const answer: Script = ({ path, headers }) => {
    if (headers.get("if-none-match") === etag) return status(304, { etag });
    const n = Number(path.slice(1) || 0);
    const links = Array.from({ length: 10 }, (_, at) => n * 10 + at + 1);
    const known = links.filter((link) => link < pages).map((link) => `/${link}`);
    const response = page(`page ${n} of ${host}: ${ownWords(n, 20)} ${filler}`, ...known);
    response.headers.set("etag", etag);
    return response;
  };
  const scripts = Array.from({ length: pages }, (_, n) => [n === 0 ? "/" : `/${n}`, answer]);
  origin.host(host, { "/robots.txt": () => robots(""), ...Object.fromEntries(scripts) });
}
