import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suites.ts";

export interface Text {
  id: string;
  /** Its first line. */
  title: string;
  paragraphs: readonly string[];
}

export interface Topic {
  query: string;
  relevant: ReadonlySet<string>;
}

export interface Collection {
  texts: readonly Text[];
  /** Those that were judged. */
  topics: readonly Topic[];
}

/** Titles and abstracts of CACM 1958 to 1979, 52 judged topics; null when it is not there. */
export async function readCacm(): Promise<Collection | null> {
  const folder = suite("relevance/cacm");
  if (folder === null) return null;
  const archive = new Bun.Archive(readFileSync(join(folder, "cacm.tar.gz")));
  const texts: Text[] = [];
  for (const [path, file] of await archive.files("**/*.html")) {
    texts.push(textOf(/CACM-\d+/.exec(path)![0], Buffer.from(await file.bytes())));
  }
  const qrels = readFileSync(join(folder, "qrels.cacm.txt"), "utf8");
  const topics = readFileSync(join(folder, "topics.cacm.txt"), "utf8");
  return { texts, topics: topicsOf(topics, relevantOf(qrels)) };
}

/** Citation numbers behind a text would tell which texts belong together. */
const CITATIONS = /(?:\n\d+\t\d+\t\d+)+\s*$/;

function textOf(id: string, bytes: Buffer): Text {
  const inside = /<pre>([\s\S]*?)<\/pre>/.exec(bytes.toString("latin1"))![1]!;
  const lines = inside.replace(CITATIONS, "").trim().split("\n");
  const rest = lines
    .slice(1)
    .join("\n")
    .split(/\n\s*\n/);
  const paragraphs = rest.map((own) => own.trim()).filter((own) => own !== "");
  return { id, title: lines[0]!.trim(), paragraphs };
}

function relevantOf(qrels: string): Map<string, Set<string>> {
  const byTopic = new Map<string, Set<string>>();
  for (const line of qrels.trim().split("\n")) {
    const [topic, , text] = line.split(/\s+/);
    const id = `CACM-${text!.replace("CACM-", "").padStart(4, "0")}`;
    byTopic.set(topic!, (byTopic.get(topic!) ?? new Set()).add(id));
  }
  return byTopic;
}

function topicsOf(topics: string, relevant: ReadonlyMap<string, ReadonlySet<string>>): Topic[] {
  const written = topics.matchAll(/<DOCNO>\s*(\d+)\s*<\/DOCNO>([\s\S]*?)<\/DOC>/g);
  return [...written].flatMap(([, id, text]) => {
    const own = relevant.get(id!);
    return own ? [{ query: text!.replace(/\s+/g, " ").trim(), relevant: own }] : [];
  });
}

/** As a web page: its first line in title and heading, the rest in paragraphs. */
export const pageOf = ({ title, paragraphs }: Text): string =>
  `<!doctype html><title>${escaped(title)}</title><h1>${escaped(title)}</h1>` +
  paragraphs.map((own) => `<p>${escaped(own)}</p>`).join("\n");

/** What is an entity already stays one. */
const escaped = (text: string): string => text.replace(/</g, "&lt;");
