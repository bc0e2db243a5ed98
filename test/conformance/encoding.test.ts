import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { decodeBody, saidCharset } from "../../src/parse/charset.ts";
import { suite } from "../support/suites.ts";

const root = suite("encoding/html-encoding-sniffer/test/fixtures");

/** The encoding that a fixture is named after. */
const named = (file: string) => {
  const name = basename(file, ".html");
  return new TextDecoder(name.slice(name.lastIndexOf("_") + 1)).encoding;
};

describe.skipIf(root === null)("fixtures of html-encoding-sniffer", () => {
  const files = (folder: string) =>
    [...new Bun.Glob(`${folder}/*.html`).scanSync(root as string)].map((file) => ({
      file,
      bytes: new Uint8Array(readFileSync(join(root as string, file))),
    }));

  test("a byte order mark, whatever the header and the page say", () => {
    const found = files("bom");
    expect(found.length).toBe(3);
    for (const { file, bytes } of found) {
      expect(saidCharset(bytes, "windows-1252"), file).toEqual({ charset: named(file), by: "bom" });
    }
  });

  test("metas as they are written in the wild; the header before them", () => {
    const found = files("normal");
    expect(found.length).toBe(8);
    for (const { file, bytes } of found) {
      expect(saidCharset(bytes, null), file).toEqual({ charset: named(file), by: "meta" });
      expect(saidCharset(bytes, "big5"), file).toEqual({ charset: "big5", by: "header" });
    }
  });

  test("UTF-16 in a meta is UTF-8", () => {
    const found = files("utf");
    expect(found.length).toBe(3);
    for (const { file, bytes } of found) {
      expect(saidCharset(bytes, null)?.charset, file).toBe("utf-8");
    }
  });

  test("nothing said: the text is that of the default", () => {
    const found = files("no-result");
    expect(found.length).toBe(2);
    for (const { file, bytes } of found) {
      expect(saidCharset(bytes, null), file).toBeNull();
      const expected = new TextDecoder("windows-1252").decode(bytes);
      expect(decodeBody(bytes, null).text, file).toBe(expected);
    }
  });
});
