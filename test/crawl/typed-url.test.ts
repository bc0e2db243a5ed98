import { afterAll, describe, expect, test } from "bun:test";
import { findTyped, typedUrl, withScheme } from "../../src/crawl/typed-url.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { saveRobots } from "../../src/db/robots.ts";
import { admit } from "../../src/frontier/admit.ts";
import { testDatabase } from "../support/database.ts";
import { OPEN_POLICY } from "../support/policy.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

async function know(url: string): Promise<void> {
  const verdict = admit({ url, via: "seed", depth: 0, hops: 0 }, OPEN_POLICY);
  if (verdict.kind === "refused") throw new Error(verdict.reason);
  await admitUrls(db, [{ ...verdict, raise: true, seeds: false }]);
}

const ROWS: [string, string | null][] = [
  ["example.org/x", "https://example.org/x"],
  ["example.org:8080/x", "https://example.org:8080/x"],
  ["example.org:80", "http://example.org:80"],
  ["example.org:443/x", "https://example.org:443/x"],
  ["localhost:3000", "https://localhost:3000"],
  [" http://example.org ", "http://example.org"],
  ["word", null],
];
test.each(ROWS)("%p is read as %p", (text, url) => {
  expect(withScheme(text)).toBe(url);
});

describe("a place without its scheme", () => {
  test("is found under the one that it is known by", async () => {
    await know("http://known.test:8080/page?q=1");
    await know("http://plain.test/page");
    expect((await findTyped(db, "known.test:8080/page?q=1"))!.url).toBe(
      "http://known.test:8080/page?q=1",
    );
    expect((await findTyped(db, "plain.test/page"))!.url).toBe("http://plain.test/page");
    expect(await findTyped(db, "https://plain.test/page")).toBeNull();
    expect(await findTyped(db, "word")).toBeNull();
  });

  test("with a port: is visited by the scheme of the page, or of the place, that is known", async () => {
    await know("http://page.test:8080/a");
    const row = { hostId: 1, body: null, etag: null, lastModified: null, fetchedAt: null };
    const more = { expiresAt: new Date(), failures: 0, failure: null };
    await saveRobots(db, [
      { ...row, ...more, authority: "http://place.test:8080", status: 200 },
      { ...row, ...more, authority: "https://place.test:8080", status: null },
    ]);
    expect(await typedUrl(db, "page.test:8080/a")).toBe("http://page.test:8080/a");
    expect(await typedUrl(db, "place.test:8080/b")).toBe("http://place.test:8080/b");
    expect(await typedUrl(db, "nobody.test:8080/b")).toBe("https://nobody.test:8080/b");
  });

  test("without one: by https, whatever is known", async () => {
    await know("http://bare.test/a");
    expect(await typedUrl(db, "bare.test/a")).toBe("https://bare.test/a");
    expect(await typedUrl(db, "bare.test:443/a")).toBe("https://bare.test:443/a");
    expect(await typedUrl(db, "http://bare.test/a")).toBe("http://bare.test/a");
  });
});
