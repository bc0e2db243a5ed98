import { expect, test } from "bun:test";
import fc from "fast-check";
import { periodOf, readSearchParams } from "../../src/http/search-params.ts";
import { DEFAULT_PARAMS, searchFields } from "../../templates/search-link.ts";
import { publicSite } from "../support/public-site.ts";

const read = (query: string) => readSearchParams(new URLSearchParams(query));

test.each([
  ["", {}, "nothing asked"],
  ["q=%20tide%20%20table%20", { q: "tide  table" }, "spaces around words"],
  ["q=a%00b%0D%0Ac%EF%BF%BD", { q: "a b c\ufffd" }, "control characters are no words"],
  ["q=%F0%9F%8C%8A%E2%80%8D%E2%99%80", { q: "🌊\u200d♀" }, "joined emoji stay"],
  ["q=one&q=two&page=", { q: "one" }, "the first counts, empty ones do not"],
  ["q=tide&page=2&per_page=100", { q: "tide", page: 2, perPage: 100 }, "the largest window"],
  ["lang=pt-BR", { lang: "pt-br" }, "language tags"],
  ["host=WWW.B%C3%BCcher.Example", { host: "www.xn--bcher-kva.example" }, "hosts as indexed"],
  ["host=[2001:db8::1]", { host: "[2001:db8::1]" }, "an address as host"],
  ["from=2025-02-28T10:00:00Z&to=2025-03-01", { from: "2025-02-28", to: "2025-03-01" }, "days"],
  [
    "sort=date&collapse=none&explain=1",
    { sort: "date", collapse: "none", explain: true },
    "choices",
  ],
  ["unknown=1&__proto__=x", {}, "what nobody asks for"],
])("%s is read", (query, expected, why) => {
  expect(read(query), why).toEqual({
    kind: "params",
    params: { ...DEFAULT_PARAMS, ...expected } as typeof DEFAULT_PARAMS,
  });
});

test.each([
  ["page=0", "page", "pages count from one"],
  ["page=-1", "page", "a sign is no digit"],
  ["page=1e3", "page", "whole numbers in digits"],
  ["page=2.5", "page", "no parts"],
  ["page=99999999999999999999", "page", "no number that large"],
  ["per_page=101", "per_page", "above the most"],
  ["sort=best", "sort", "no such order"],
  ["collapse=all", "collapse", "no such folding"],
  ["explain=yes", "explain", "0 or 1"],
  ["lang=french", "lang", "a code, not a name"],
  ["host=a/b", "host", "no path in a host"],
  ["host=a%0Ab", "host", "no line break in a host"],
  ["host=user@a.example", "host", "no user in a host"],
  ["year=25", "year", "two digits could be any century"],
  ["year=MMXXV", "year", "digits"],
  ["from=yesterday", "from", "a day"],
  ["from=2025-02-30", "from", "a day that exists"],
  [`q=${"a".repeat(1_001)}`, "q", "too long"],
])("%s is refused by name", async (query, parameter, why) => {
  const result = read(query);
  expect(result.kind, why).toBe("faulty");
  const site = publicSite();
  const page = await site.ask(`/search?${query}`);
  expect(page.status).toBe(400);
  expect(await page.text()).toContain(`“${parameter}”`);
  const api = await site.ask(`/api/search?${query}`);
  expect(api.status).toBe(400);
  const { error } = (await api.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe("invalid");
  expect(error.message).toContain(parameter);
});

test.each([
  ["page=2&per_page=100", true],
  ["page=3&per_page=100", false],
  ["page=20&per_page=10", true],
  ["page=21", false],
  ["page=200&per_page=1", true],
])("%s lies within the first 200: %p", (query, isWithin) => {
  expect(read(query).kind === "params").toBe(isWithin);
});

test.each([
  ["", undefined, undefined],
  ["from=2025-03-01", "2025-03-01T00:00:00.000Z", undefined],
  ["to=2025-03-01", undefined, "2025-03-01T23:59:59.999Z"],
])("the period of %s", (query, from, to) => {
  const period = periodOf(read(query).params);
  const iso = (ms: number | undefined) => ms && new Date(ms).toISOString();
  expect([iso(period.from), iso(period.to)]).toEqual([from, to]);
});

test("what is read and written again is the same, whatever it was", () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.string({ unit: "binary" }), (query, words) => {
      const parameters = new URLSearchParams(query);
      parameters.append("q", words);
      const once = readSearchParams(parameters);
      const again = readSearchParams(new URLSearchParams(searchFields(once.params)));
      if (once.kind === "params") expect(again).toEqual(once);
    }),
  );
});

test("no query is answered with a server error", async () => {
  const site = publicSite();
  const { status } = await site.ask("/search?q=%E0%A4%A&page=%zz");
  expect([200, 400]).toContain(status);
  await fc.assert(
    fc.asyncProperty(fc.webQueryParameters(), async (query) => {
      for (const path of ["/search", "/api/search", "/search.rss", "/suggest"]) {
        expect((await site.ask(`${path}?${query}`)).status).toBeLessThan(500);
      }
    }),
    { numRuns: 40 },
  );
});
