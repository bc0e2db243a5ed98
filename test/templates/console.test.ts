import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Server, startApp } from "../http/ask.ts";
import { createFake } from "../http/fake.ts";
import { parsed, shapeOf } from "../support/html.ts";
import { suite } from "../support/suites.ts";

interface Payload {
  kind: string;
  payload: string;
}

/** Kinds that must hold even where the suite is not there. */
const OWN: readonly Payload[] = [
  { kind: "script", payload: "<script>alert(1)</script>" },
  { kind: "attribute", payload: `"' onmouseover="alert(1)` },
  { kind: "htmx", payload: `<div hx-get="/admin" hx-trigger="load" data-hx-swap-oob="true">` },
  { kind: "SVG title", payload: "</title></svg><script>1</script>" },
  { kind: "pre and details", payload: "</pre></details></body></html>" },
  { kind: "bidi", payload: "\u202egnp.exe" },
  { kind: "NUL", payload: "a\0b" },
  { kind: "half a character", payload: "\ud800x" },
];

const path = suite("xss/stored-content-payloads.json");
const fromSuite: Payload[] = path === null ? [] : JSON.parse(readFileSync(path, "utf8")).payloads;
const payloads: readonly Payload[] = [...OWN, ...fromSuite];
/** One text of all of them for the many pages: if one breaks out, the shape is another. */
const together: readonly Payload[] = [
  ...OWN,
  { kind: "the suite in one", payload: fromSuite.map(({ payload }) => payload).join("\n") },
];

const PAGES = [
  "/admin",
  "/admin/cards",
  "/admin/hosts",
  "/admin/hosts/1",
  "/admin/hosts/1/forget",
  "/admin/urls",
  "/admin/urls/1",
  "/admin/urls/1/drop",
  "/admin/submissions",
  "/admin/submissions?state=refused",
  "/admin/audit",
  "/admin/settings",
  "/admin/users",
];

describe("text of strangers on the console", () => {
  test.each(PAGES)("%s: no payload changes the shape of the page", async (page) => {
    const shape = async (text: string) => {
      const answer = await hostile(text).ask(page, { as: "admin" });
      expect(answer.status).toBe(200);
      return shapeOf(parsed(await answer.text()));
    };
    const expected = await shape("plain");
    expect(expected.length).toBeGreaterThan(20);
    for (const { kind, payload } of together) expect(await shape(payload), kind).toEqual(expected);
  });

  test("it is shown as the text that it is", async () => {
    for (const { kind, payload } of payloads) {
      const page = parsed(
        await (await hostile(payload).ask("/admin/urls/1", { as: "admin" })).text(),
      );
      expect(asBrowser(page.querySelector("#url-document strong")?.textContent), kind).toBe(
        asBrowser(payload),
      );
    }
  });

  test("a filter echoes what was typed as a value and nothing else", async () => {
    const ask = async (text: string) => {
      // Control characters are refused: nothing of them is echoed.
      const kept = text.replace(/[^\P{Cc}\s]/gu, "").toWellFormed();
      const typed = encodeURIComponent(kept.slice(0, 100));
      const answer = await server.ask(`/admin/urls?host=${typed}&reason=${typed}`, { as: "admin" });
      expect(answer.status).toBe(200);
      return shapeOf(parsed(await answer.text()));
    };
    const expected = await ask("plain");
    for (const { kind, payload } of OWN) expect(await ask(payload), kind).toEqual(expected);
  });

  test("no page has a script, a style or a handler of its own, as the CSP demands", async () => {
    for (const page of PAGES) {
      const document = parsed(await (await hostile("plain").ask(page, { as: "admin" })).text());
      for (const element of document.querySelectorAll("*")) {
        const names = [...element.attributes].map(({ name }) => name);
        expect(
          names.filter((name) => name === "style" || /^(data-)?(on|hx-on)/.test(name)),
        ).toEqual([]);
      }
      for (const script of document.querySelectorAll("script")) {
        expect([script.getAttribute("src")?.startsWith("/assets/"), script.textContent]).toEqual([
          true,
          "",
        ]);
      }
      expect(document.querySelectorAll("style, iframe, object, embed, base")).toHaveLength(0);
    }
  });
});

/** One server whose every text of strangers, names of hosts and accounts too, is this one. */
const world = { text: "plain" };
const server = startHostile();

function hostile(text: string): Server {
  world.text = text;
  server.fake.say(text);
  // What is read once a second is read anew.
  server.fake.advance(10_000);
  return server;
}

function startHostile(): Server {
  const setting = {
    group: "web",
    name: "USER_AGENT",
    get value() {
      return world.text;
    },
    get fallback() {
      return world.text;
    },
    get meaning() {
      return world.text;
    },
  };
  const fake = createFake({ text: world.text, settings: { shown: [setting] } });
  const { list } = fake.deps.accounts;
  fake.deps.accounts.list = async () => (await list()).map((row) => ({ ...row, name: world.text }));
  const { status } = fake.deps;
  fake.deps.status = async () => ({ ...(await status()), version: world.text });
  const { read } = fake.deps.hosts;
  fake.deps.hosts.read = async (id) => {
    const detail = await read(id);
    return detail && { ...detail, host: { ...detail.host, name: world.text, domain: world.text } };
  };
  return startApp(fake);
}

/** A parser of HTML folds line ends and knows no NUL; UTF-8 no half characters. */
const asBrowser = (text: string | null | undefined) =>
  (text ?? "").toWellFormed().replace(/\r\n?/g, "\n").replace(/\0/g, "").trim();
