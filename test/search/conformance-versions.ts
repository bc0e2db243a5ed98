import { expect, test } from "bun:test";
import type { SearchIndex } from "../../src/search/port.ts";
import { documentOf } from "./documents.ts";

const FIRST = new Date("2025-06-01T00:00:00Z");
const THEN = new Date("2025-06-02T00:00:00Z");

/** Of one page at two moments; its quality puts the first one elsewhere in an index of tiers. */
const version = (crawledAt: Date, text: string) =>
  documentOf({ id: 80, crawledAt, text, linkDensity: crawledAt === FIRST ? 1 : 0 });

interface Given {
  index(): SearchIndex;
  idsOf(query: string): Promise<number[]>;
}

/** Part of the conformance suite: what comes first or late, and what is told of versions. */
export function versionCases(given: Given): void {
  const { index } = given;

  test("calls take effect in the order they were made", async () => {
    const document = documentOf({ id: 60, text: "gammaword" });
    void given.index().put(document);
    void given.index().remove([60]);
    const last = given.index().put(document);
    expect(await last).toEqual({ kind: "stored" });
    expect(await given.idsOf("gammaword")).toEqual([60]);
    await given.index().remove([60]);
  });

  test("a version fetched earlier never takes the place of a later one", async () => {
    const put = async (crawledAt: Date, text: string, isTruth = false) =>
      (await index().put(version(crawledAt, text), { isTruth })).kind;
    const text = async () => (await index().texts([80])).get(80);
    expect(await put(THEN, "later")).toBe("stored");
    expect(await put(FIRST, "earlier")).toBe("superseded");
    expect(await text()).toBe("later");
    expect(await put(THEN, "once more")).toBe("stored");
    expect(await put(FIRST, "as the store has it", true)).toBe("stored");
    expect(await text()).toBe("as the store has it");
    await index().remove([80]);
  });

  test("one that is superseded takes none of its batch with it", async () => {
    await index().put(version(THEN, "later"));
    const results = await Promise.all([
      index().put(version(FIRST, "earlier")),
      index().put(documentOf({ id: 81, text: "beside" })),
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(["superseded", "stored"]);
    expect(await index().texts([80, 81])).toEqual(
      new Map([
        [80, "later"],
        [81, "beside"],
      ]),
    );
    await index().remove([80, 81]);
  });

  test("versions and dates are told", async () => {
    const dated = documentOf({ id: 82, crawledAt: THEN, publishedAt: FIRST, text: "a dated one" });
    const bare = documentOf({ id: 83, crawledAt: THEN, contentHash: null });
    await Promise.all([index().put(dated), index().put(bare)]);
    const { contentHash } = dated;
    expect(await index().ids(81, 10)).toEqual([
      { id: 82, contentHash, date: FIRST.getTime() },
      { id: 83, contentHash: null, date: THEN.getTime() },
    ]);
    const versions = await index().versions([83, 82, 999]);
    expect(versions.sort((one, other) => one.id - other.id)).toEqual([
      { id: 82, contentHash, crawledAt: THEN.getTime() },
      { id: 83, contentHash: null, crawledAt: THEN.getTime() },
    ]);
    await index().remove([82, 83]);
  });
}
