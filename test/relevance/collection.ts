import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suites.ts";

/** A judged collection: documents, questions, and which documents answer them. */
export interface Collection {
  readonly documents: readonly JudgedDocument[];
  readonly topics: readonly { readonly id: string; readonly query: string }[];
  /** By topic the ids of the documents that answer it. */
  readonly answers: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface JudgedDocument {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** CACM: 3,204 abstracts, 64 questions of which 52 have answers. Null: it is not there. */
export function readCacm(): Collection | null {
  const folder = suite("relevance/cacm");
  if (folder === null) return null;
  const archive = Bun.gunzipSync(readFileSync(join(folder, "cacm.tar.gz")));
  const documents = filesOf(archive).map(({ name, text }) => documentOf(name, text));
  const answers = new Map<string, Set<number>>();
  for (const line of readFileSync(join(folder, "qrels.cacm.txt"), "utf8").split("\n")) {
    const [topic, , name, grade] = line.trim().split(/\s+/);
    if (name === undefined || Number(grade) < 1) continue;
    const ids = answers.get(topic!) ?? new Set();
    ids.add(idOf(name));
    answers.set(topic!, ids);
  }
  const topics = topicsOf(readFileSync(join(folder, "topics.cacm.txt"), "utf8"));
  return { documents, topics: topics.filter(({ id }) => answers.has(id)), answers };
}

const BLOCK = 512;

/** Plain files of a tar archive. */
function filesOf(archive: Uint8Array): { name: string; text: string }[] {
  const read = (at: number, length: number) =>
    new TextDecoder("latin1").decode(archive.subarray(at, at + length));
  const files: { name: string; text: string }[] = [];
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const [name] = read(at, 100).split("\0");
    if (name === "") break;
    const size = Number.parseInt(read(at + 124, 12), 8);
    const kind = read(at + 156, 1);
    if (kind === "0" || kind === "\0") files.push({ name: name!, text: read(at + BLOCK, size) });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files.filter(({ name }) => name.endsWith(".html"));
}

const idOf = (name: string): number => Number(/CACM-(\d+)/.exec(name)![1]);

/** The first line is its title, the numbers at its end are citations. */
function documentOf(name: string, html: string): JudgedDocument {
  const text = html.replace(/<\/?(?:html|pre)>/g, "").replace(/\n\d+\t\d+\t\d+(?=\n|$)/g, "");
  const [title = "", ...rest] = text.trim().split(/\n\s*\n/);
  return { id: idOf(name), title: plain(title), text: plain(rest.join("\n\n")) };
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

function topicsOf(text: string): { id: string; query: string }[] {
  return text.split("<DOC>").flatMap((part) => {
    const found = /<DOCNO>\s*(\d+)\s*<\/DOCNO>([\s\S]*?)<\/DOC>/.exec(part);
    return found === null ? [] : [{ id: found[1]!, query: plain(found[2]!) }];
  });
}
