import { describe, expect, test } from "bun:test";
import { admit } from "../../src/frontier/admit.ts";
import { HostTraps, storedRules } from "../../src/frontier/host-traps.ts";
import { NEUTRAL_MS } from "../../src/frontier/trap-parameters.ts";
import {
  FOLDER_DRY_MAX,
  LOOK_MS,
  NARROW_DRY_MAX,
  PATTERNS_MAX,
} from "../../src/frontier/trap-patterns.ts";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { LEGAL, ownWords } from "../support/mazes.ts";
import { OPEN_POLICY } from "../support/policy.ts";
import { sampleOf } from "../support/samples.ts";

const NOW = Date.UTC(2026, 0, 1);
const at = (path: string) => `http://a.example${path}` as CanonicalUrl;

interface Given {
  links?: string[];
  isFound?: boolean;
  now?: number;
  linksHash?: number;
}

function note(traps: HostTraps, path: string, text: string, given: Given = {}) {
  const { links = [], isFound = true, now = NOW, linksHash = 1 } = given;
  return traps.note(
    {
      url: at(path),
      sample: sampleOf(text, path),
      isFound,
      isLong: text.length >= 200,
      linksHash,
      pathsHash: linksHash,
      links: links.map(at),
    },
    now,
  );
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("a pattern is cut", () => {
  test("after so many pages in a row without new text", () => {
    const traps = new HostTraps();
    for (const n of numbers(NARROW_DRY_MAX - 1)) note(traps, `/?y=${n}`, `Year ${n + 7}. None.`);
    expect(traps.cutOf(at("/?y=99"))).toBeNull();
    const last = note(traps, "/?y=77", "Year 84. None.");
    expect(traps.cutOf(at("/?y=99"))!.pattern).toBe("/?y");
    expect(last.changesRules).toBe(true);
    expect(traps.cutOf(at("/?z=99"))).toBeNull();
  });

  test("by its folder when each page is a pattern of its own", () => {
    const traps = new HostTraps();
    const paths = numbers(FOLDER_DRY_MAX + 1).map(
      (n) => `/shop/${"abcdefg"[n % 7]}/${"xyzuv"[n % 5]}`,
    );
    for (const path of paths) note(traps, path, "Nothing in this choice of ours.");
    expect(traps.cutOf(at("/shop/any/thing"))!.pattern).toBe("/shop/**");
    expect(traps.cutOf(at("/else/any/thing"))).toBeNull();
  });

  const NEVER: [why: string, text: (n: number) => string, links: (n: number) => string[]][] = [
    ["its pages have text of their own", (n) => ownWords(n, 30), () => []],
    [
      "60 words of their own below much boilerplate",
      (n) => `${ownWords(n, 60)}\n${LEGAL}`,
      () => [],
    ],
    ["they lead to what is new", () => "Go on.", (n) => [`/article-${"abcdefghijklm"[n % 13]}`]],
  ];
  test.each(NEVER)("not when %s", (_, text, links) => {
    const traps = new HostTraps();
    for (const n of numbers(60)) {
      note(traps, `/?p=${n}`, text(n), { links: links(n), linksHash: n + 1 });
    }
    expect(traps.hasRules).toBe(false);
  });

  test("though it leads on to others of its own, or of one as barren", () => {
    const traps = new HostTraps();
    for (const n of numbers(40)) {
      if (traps.cutOf(at(`/day?d=${n}`)) === null) {
        note(traps, `/day?d=${n}`, "No day.", { links: [`/day?d=${n + 1}`, `/week?d=${n + 1}`] });
      }
      if (traps.cutOf(at(`/week?d=${n}`)) === null) {
        note(traps, `/week?d=${n}`, "No week.", { links: [`/day?d=${n + 2}`] });
      }
    }
    expect(traps.cutOf(at("/day?d=99"))).not.toBeNull();
    expect(traps.cutOf(at("/week?d=99"))).not.toBeNull();
    const pages = [...traps.patterns.records].map((record) => record.pages);
    expect(Math.max(...pages)).toBeLessThanOrEqual(25);
  });

  test("not by pages that a person, a sitemap or a recrawl brought", () => {
    const traps = new HostTraps();
    for (const n of numbers(60)) note(traps, `/?y=${n}`, "The same.", { isFound: false });
    expect(traps.patterns.hasCut).toBe(false);
  });

  test("and is open again when something new is met at a look, which comes once in 30 days", () => {
    const traps = new HostTraps();
    for (const n of numbers(20)) note(traps, `/?y=${n}`, "The same as ever.");
    const record = traps.cutOf(at("/?y=1"))!;
    expect(traps.takesLook(record, NOW + LOOK_MS - 1)).toBe(false);
    expect(traps.takesLook(record, NOW + LOOK_MS)).toBe(true);
    expect(traps.takesLook(record, NOW + LOOK_MS)).toBe(false);
    note(traps, "/?y=50", ownWords(3, 50), { now: NOW + LOOK_MS });
    expect(traps.cutOf(at("/?y=1"))).toBeNull();
  });

  test("or when the store does not know of it any more", () => {
    const traps = new HostTraps();
    for (const n of numbers(20)) note(traps, `/?y=${n}`, "The same as ever.");
    const none = { cut: new Set<string>(), neutral: new Set<string>() };
    const isInTurn = { isInTurn: true };
    const isCut = () => traps.cutOf(at("/?y=1")) !== null;
    traps.reconcile(none, NOW + 1_000, isInTurn);
    expect(isCut()).toBe(true);
    // A store that is late, as a machine that stood still makes it, has lifted nothing.
    traps.reconcile(none, NOW + 60_000, isInTurn);
    expect(isCut()).toBe(true);
    const { pattern } = traps.cutOf(at("/?y=1"))!;
    traps.reconcile({ ...none, cut: new Set([pattern]) }, NOW + 61_000, isInTurn);
    traps.reconcile(none, NOW + 62_000, isInTurn);
    expect(isCut()).toBe(false);
  });
});

test("a host without a sign of a trap has nothing to keep; patterns are bounded", () => {
  const traps = new HostTraps();
  for (const n of numbers(200)) {
    const learned = note(
      traps,
      `/${"abcdefgh"[n % 8]}${"klmnopqrst"[n % 10]}/${n}`,
      ownWords(n, 40),
    );
    expect([learned.patterns, learned.parameters]).toEqual([[], []]);
  }
  expect([...traps.patterns.records].length).toBeLessThanOrEqual(PATTERNS_MAX);
});

describe("a parameter is neutral", () => {
  const visit = (traps: HostTraps, id: number, sid: number, text = ownWords(id, 50), now = NOW) =>
    note(traps, `/t?id=${id}&sid=s${sid}`, text, { now });

  test("after four pairs of pages that say the same; what says something else is not", () => {
    const traps = new HostTraps();
    for (const n of numbers(4)) for (const copy of numbers(2)) visit(traps, n, n * 2 + copy);
    expect([...traps.neutral]).toEqual(["sid"]);
  });

  test("after more of them when they are short, for those are equal by chance", () => {
    const traps = new HostTraps();
    for (const n of numbers(12)) note(traps, `/?n=${n}`, "Not found.");
    expect(traps.neutral.size).toBe(0);
    for (const n of numbers(2)) note(traps, `/?n=${n + 20}`, "Not found.");
    expect([...traps.neutral]).toEqual(["n"]);
  });

  test("never when it has once changed the text, or where the page leads", () => {
    const differs = new HostTraps();
    note(differs, "/?v=0", ownWords(1, 50));
    note(differs, "/?v=1", ownWords(2, 50));
    for (const n of numbers(9)) note(differs, `/?v=${n + 2}`, ownWords(3, 50));
    expect(differs.neutral.size).toBe(0);
    const gallery = new HostTraps();
    for (const n of numbers(30)) note(gallery, `/?v=${n}`, ownWords(3, 50), { linksHash: n + 1 });
    expect(gallery.neutral.size).toBe(0);
  });

  test("until it matters, or 30 days have gone by", () => {
    for (const ends of [
      (traps: HostTraps) => {
        note(traps, "/u?sid=1", ownWords(50, 50));
        note(traps, "/u?sid=2", ownWords(51, 50));
      },
      (traps: HostTraps) => visit(traps, 90, 900, undefined, NOW + NEUTRAL_MS),
    ]) {
      const traps = new HostTraps();
      for (const n of numbers(4)) for (const copy of numbers(2)) visit(traps, n, n * 2 + copy);
      expect(traps.neutral.size).toBe(1);
      ends(traps);
      expect(traps.neutral.size).toBe(0);
    }
  });
});

describe("admission", () => {
  const rules = storedRules(
    [
      { pattern: "/shop?*", dry: 16, cutAt: NOW },
      { pattern: "/shop?new", dry: 0, cutAt: null },
    ],
    ["sid"],
  );
  const policy = { ...OPEN_POLICY, traps: () => rules };
  const judge = (path: string, over: object = {}, via: "link" | "seed" | "sitemap" = "link") =>
    admit({ url: at(path), via, depth: 1, hops: 0 }, { ...policy, ...over });

  test("refuses what a cut pattern holds, and says whose it is", () => {
    const refused = { kind: "refused", reason: "pattern cut", host: "a.example" } as const;
    expect(judge("/shop?a=1")).toEqual(refused as never);
    expect(judge("/shop?new=1").kind).toBe("admitted");
    expect(judge("/shop").kind).toBe("admitted");
  });

  test("takes what people and sitemaps name, and what the operator includes", () => {
    expect(judge("/shop?a=1", {}, "seed").kind).toBe("admitted");
    expect(judge("/shop?a=1", {}, "sitemap").kind).toBe("admitted");
    const include = { patterns: () => ({ include: ["/shop*"], exclude: [] }) };
    expect(judge("/shop?a=1", include).kind).toBe("admitted");
  });

  test("gives a second key, and never another URL", () => {
    const [one, two, bare] = ["/t?sid=1", "/t?sid=2", "/t"].map((path) => judge(path)) as {
      url: string;
      key: string;
      pageKey: string;
    }[];
    expect(one!.url).toBe(at("/t?sid=1"));
    expect(one!.key).not.toBe(two!.key);
    expect(one!.pageKey).toBe(two!.pageKey);
    expect(bare!.pageKey).toBe(bare!.key);
  });
});
