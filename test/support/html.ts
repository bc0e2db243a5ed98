import { parseHTML } from "linkedom";

/** An answer's HTML as a document; a fragment gets a body around it. */
export async function htmlOf(answer: Response): Promise<Document> {
  return parsed(await answer.text());
}

export function parsed(text: string): Document {
  const isPage = /^<!doctype html>/i.test(text);
  const whole = isPage ? text : `<!doctype html><html><head></head><body>${text}</body></html>`;
  return parseHTML(whole).document as unknown as Document;
}

/** Text of every element that matches, spaces folded. */
export function texts(root: ParentNode, selector: string): string[] {
  return [...root.querySelectorAll(selector)].map((element) =>
    (element.textContent ?? "").replace(/\s+/g, " ").trim(),
  );
}

/**
 * The elements of a document with the names of their attributes: what text can never change.
 * `mark` is left out, because a search may mark more or fewer words.
 */
export function shapeOf(root: ParentNode): string[] {
  return [...root.querySelectorAll("*")]
    .filter(({ localName }) => localName !== "mark")
    .map((element) => {
      const names = [...element.attributes].map(({ name }) => name).sort();
      return [element.localName, ...names].join(" ");
    });
}
