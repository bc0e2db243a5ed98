import { expect, test } from "bun:test";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { documentOf } from "./documents.ts";

interface Given {
  index(): SearchIndex;
}

/** Long enough to be known by its hash. */
const FIRST = `iotaword ${"stands in a text that somebody has summed up ".repeat(6)}`;
const THEN = `iotaword ${"stands in quite another text by now ".repeat(7)}`;

/** Part of the conformance suite: what is told of documents that are searchable already. */
export function enrichCases({ index }: Given): void {
  const put = (text: string, more: { summary?: string | null } = {}) =>
    index().put(documentOf({ id: 100, host: "summed.example", text, ...more }));
  const hashOf = (text: string) => documentOf({ id: 100, text }).contentHash!;
  const tell = (text: string, summary: string | null, id = 100) =>
    index().enrich([{ id, contentHash: hashOf(text), summary }]);
  const shown = async () => {
    const request = { query: "iotaword", page: 1, perPage: 10, sort: "relevance" } as const;
    const { hits } = await search(index(), { ...request, explain: false });
    return hits.map(({ summary }) => summary);
  };

  test("a summary comes with its hit; told twice it is there once, told null it is gone", async () => {
    await put(FIRST);
    expect(await shown()).toEqual([null]);
    expect(await tell(FIRST, "In short.")).toEqual({ kind: "stored" });
    expect(await tell(FIRST, "In short.")).toEqual({ kind: "stored" });
    expect(await shown()).toEqual(["In short."]);
    expect(await index().summaries([100, 999])).toEqual(new Map([[100, "In short."]]));
    await tell(FIRST, null);
    expect(await shown()).toEqual([null]);
  });

  test("it stays with its text, and never stands beside another", async () => {
    await put(FIRST);
    await tell(FIRST, "In short.");
    await put(FIRST);
    expect(await shown()).toEqual(["In short."]);
    await put(THEN);
    expect(await shown()).toEqual([null]);
    // A model that was slow answers of what stood there before.
    expect(await tell(FIRST, "Late.")).toEqual({ kind: "stored" });
    expect(await shown()).toEqual([null]);
    await tell(THEN, "Anew.");
    expect(await shown()).toEqual(["Anew."]);
  });

  test("a put that brings its summary says what it is from then on", async () => {
    await put(FIRST, { summary: "From the store." });
    expect(await shown()).toEqual(["From the store."]);
    await put(FIRST, { summary: null });
    expect(await shown()).toEqual([null]);
  });

  test("with the document it is gone for good; of what is not there nothing is kept", async () => {
    await put(FIRST);
    await tell(FIRST, "In short.");
    await index().remove([100]);
    expect(await tell(FIRST, "Of nothing.")).toEqual({ kind: "stored" });
    await put(FIRST);
    expect(await shown()).toEqual([null]);
    expect(await index().enrich([])).toEqual({ kind: "stored" });
  });

  test("hostile words are plain text, cut at a bound", async () => {
    await put(FIRST);
    await tell(FIRST, `<b>bold</b> \0 \ud800 '; drop table pages; -- ${"x".repeat(5_000)}`);
    const [summary] = await shown();
    expect(summary).toStartWith("<b>bold</b>   ");
    expect(summary!.isWellFormed()).toBe(true);
    expect(summary!.length).toBeLessThanOrEqual(1_000);
    await index().remove([100]);
  });
}
