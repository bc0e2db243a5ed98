import { describe, expect, test } from "bun:test";
import { parseDirectives } from "../../src/parse/directives.ts";
import type { PageDirectives } from "../../src/parse/parsed.ts";

const NONE: PageDirectives = {
  noindex: false,
  nofollow: false,
  noarchive: false,
  noai: false,
  unavailableAfter: null,
};

interface Sayings {
  metas?: string[];
  headers?: string[];
  reservations?: (string | null)[];
}

function read({ metas = [], headers = [], reservations = [] }: Sayings): PageDirectives {
  return parseDirectives({ metas, headers, reservations, robotsToken: "trawl" });
}

describe("X-Robots-Tag", () => {
  const cases: [string[], Partial<PageDirectives>, string][] = [
    [["noindex"], { noindex: true }, "one word"],
    [["NOINDEX, NoFollow"], { noindex: true, nofollow: true }, "any case"],
    [["none"], { noindex: true, nofollow: true }, "none is both"],
    [["noarchive"], { noarchive: true }, "no copy"],
    [["noindex", "nofollow"], { noindex: true, nofollow: true }, "several lines add up"],
    [["otherbot: noindex"], {}, "another bot's line"],
    [["otherbot: noindex, nofollow"], {}, "all of another bot's line"],
    [["Trawl: noindex"], { noindex: true }, "our own line"],
    [["otherbot: noindex, trawl: nofollow"], { nofollow: true }, "lines that a proxy joined"],
    [["noarchive, otherbot: noindex"], { noarchive: true }, "the scope begins at the name"],
    [["all"], {}, "all forbids nothing"],
    [["index, follow, max-snippet:-1, max-image-preview:large"], {}, "values are no bots"],
    [["max-snippet: 20, noindex"], { noindex: true }, "nor do they scope what follows"],
    [["noai, noimageai"], { noai: true }, "not for models"],
    [
      ["unavailable_after: 25 Jun 2010 15:00:00 PST"],
      { unavailableAfter: "2010-06-25T23:00:00.000Z" },
      "a date with colons",
    ],
    [
      ["unavailable_after: Wed, 03 Jul 2030 13:09:53 GMT, noarchive"],
      { unavailableAfter: "2030-07-03T13:09:53.000Z", noarchive: true },
      "a date with a comma, and a word behind it",
    ],
    [
      ["unavailable_after: 2030-07-03", "unavailable_after: 2029-07-03"],
      { unavailableAfter: "2029-07-03T00:00:00.000Z" },
      "the earlier of two",
    ],
    [["unavailable_after: someday"], {}, "no date, no rule"],
    [
      ["trawl: unavailable_after: 2030-07-03"],
      { unavailableAfter: "2030-07-03T00:00:00.000Z" },
      "scoped date",
    ],
    [["otherbot: unavailable_after: 2030-07-03"], {}, "another bot's date"],
    [["noindexing"], {}, "not every word that starts so"],
    [["", ",,,", ":", "::::"], {}, "noise"],
  ];
  for (const [headers, expected, why] of cases) {
    test(why, () => expect(read({ headers })).toEqual({ ...NONE, ...expected }));
  }

  test("a header of megabytes", () => {
    expect(read({ headers: ["noindex,".repeat(1_000_000)] }).noindex).toBe(true);
  });
});

describe("meta and reservations", () => {
  const cases: [Sayings, Partial<PageDirectives>, string][] = [
    [{ metas: ["noindex,nofollow"] }, { noindex: true, nofollow: true }, "the usual"],
    [{ metas: ["index", "NOINDEX"] }, { noindex: true }, "most restrictive of several"],
    [{ metas: ["noindex nofollow"] }, { noindex: true, nofollow: true }, "spaces for commas"],
    [{ metas: ["otherbot: noindex"] }, { noindex: true }, "a meta has no scopes"],
    [
      { metas: ["noarchive"], headers: ["noindex"] },
      { noarchive: true, noindex: true },
      "together",
    ],
    [{ reservations: ["1", null] }, { noai: true }, "reserved by the header"],
    [{ reservations: [null, " 1 "] }, { noai: true }, "reserved by the page"],
    [{ reservations: ["0", null] }, {}, "not reserved"],
  ];
  for (const [sayings, expected, why] of cases) {
    test(why, () => expect(read(sayings)).toEqual({ ...NONE, ...expected }));
  }
});
