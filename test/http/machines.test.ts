import { describe, expect, test } from "bun:test";
import { loadAssets } from "../../src/http/assets.ts";
import { metricsText } from "../../src/http/metrics.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";

describe("/metrics", () => {
  test("is Prometheus text, with the law of conservation", async () => {
    const answer = await startApp().ask("/metrics", { as: "api token" });
    expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const text = await answer.text();
    expect(text).toEndWith("\n");
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) trawl_\w+ .+|trawl_\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? -?[\d.]+)$/,
      );
    }
    expect(text).toContain('trawl_urls{state="pending"} 11200\n');
    expect(text).toContain('trawl_part_up{part="index",health="slow"} 0\n');
    expect(text).toContain('trawl_time_to_searchable_seconds{quantile="0.95"} 0.98\n');
    expect(text).toContain("trawl_urls_accepted 12345\n");
    expect(text).toContain('trawl_admitted{origin="sitemap"} 4711\n');
    expect(text).toContain('trawl_refusals{reason="scope"} 48210\n');
    for (const [quantile, seconds] of [
      ["0.5", 0.0004],
      ["0.99", 0.0125],
      ["1", 0.031],
    ]) {
      expect(text).toContain(`trawl_event_loop_lag_seconds{quantile="${quantile}"} ${seconds}\n`);
    }
  });

  test("leaves out what is unknown and escapes its labels", async () => {
    const status = {
      ...(await createFake().deps.status()),
      version: 'a"b\\c\nd',
      urls: null,
      crawled: null,
    };
    const text = metricsText({ status, conservation: null, loopLag: null, liveReaders: 0 });
    expect(text).toContain('trawl_info{version="a\\"b\\\\c\\nd"} 1');
    expect(text).not.toContain("trawl_urls");
    expect(text).not.toContain("lag");
  });
});

describe("assets", () => {
  const assets = loadAssets();

  test.each(["app.css", "app.js", "console.css", "htmx.js", "icon.svg"])(
    "%s has a name of its content and may be kept for ever",
    async (name) => {
      const path = assets.path(name);
      expect(path).toMatch(/^\/assets\/[\w-]+\.[0-9a-f]{10}\.(css|js|svg)$/);
      const server = startApp();
      const plain = await server.ask(path);
      expect(plain.status).toBe(200);
      expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const packed = await server.ask(path, { headers: { "accept-encoding": "gzip, br" } });
      expect(packed.headers.get("content-encoding")).toBe("br");
      const brotli = await packed.arrayBuffer();
      const { brotliDecompressSync } = await import("node:zlib");
      expect(brotliDecompressSync(brotli).toString()).toBe(await plain.text());
    },
  );

  test.each(["app.css", "app.0000000000.css", "..%2f..%2fpackage.json", "%00"])(
    "%s is served to nobody",
    async (file) => {
      expect((await startApp().ask(`/assets/${file}`)).status).toBe(404);
    },
  );

  test("a name that nobody serves is a bug", () => {
    expect(() => assets.path("missing.js")).toThrow("no asset is called missing.js");
  });
});

describe("/api/urls", () => {
  test("tells everything of a known URL", async () => {
    const answer = await startApp().ask("/api/urls?url=https://a.example/", { as: "api token" });
    expect(await answer.json()).toEqual({ url: "https://a.example/", state: "pending" });
  });

  test.each([
    ["?url=https://unknown.example/", 404],
    ["?url=", 400],
    ["", 400],
  ])("%s: %i", async (query, status) => {
    const answer = await startApp().ask(`/api/urls${query}`, { as: "viewer token" });
    expect(answer.status).toBe(status);
  });
});

test("/healthz says ok without asking anybody", async () => {
  const server = startApp();
  server.fake.breakStore();
  const answer = await server.ask("/healthz", { as: "viewer" });
  expect([answer.status, await answer.text()]).toEqual([200, "ok\n"]);
});
