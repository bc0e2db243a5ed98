import { describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import { judgeDeclared, sniffPage } from "../../src/fetch/sniff.ts";

const HTML = "<!doctype html><title>x</title>";
const RSS = '<?xml version="1.0"?>\n<!-- made by x -->\n<rss version="2.0"><channel>';
const noise = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7_919) & 255));

describe("sniffPage", () => {
  const pages: [declared: string | null, body: string | Buffer, type: string, why: string][] = [
    ["text/html", HTML, "text/html", "as it says"],
    ["text/html", "no markup at all", "text/html", "as it says"],
    ["text/html", "", "text/html", "nothing speaks against it"],
    [
      "text/html",
      "<title>nul\0title</title><h1>nul\0title</h1>a\0b, and so on",
      "text/html",
      "NULs",
    ],
    ["text/html", RSS, "application/rss+xml", "a feed under a wrong label"],
    ["text/html", '<?xml version="1.0"?><!DOCTYPE html><html>', "text/html", "XHTML as HTML"],
    ["text/plain", '<feed xmlns="http://www.w3.org/2005/Atom">', "application/atom+xml", "a feed"],
    ["text/plain", HTML, "text/plain", "source code to be read as text"],
    ["text/xml", "<urlset>", "application/xml", "a sitemap"],
    ["application/xml", "<rdf:RDF xmlns='x'>", "application/rss+xml", "RSS 1.0"],
    ["application/rss+xml", "<html>", "application/rss+xml", "the parser will see"],
    ["text/html", "%PDF-1.7\n", "application/pdf", "a PDF under a wrong label"],
    ["application/pdf", "%PDF-1.7\n%\x80\x81\x00\x01\x02", "application/pdf", "as it says"],
    ["application/pdf", HTML, "text/html", "a login page in its place"],
    ["application/x-pdf", "junk before the header", "application/pdf", "the parser will see"],
    [null, HTML, "text/html", "no label"],
    [null, "\xef\xbb\xbf\n <!-- c --> <BODY>", "text/html", "no label, BOM, comment"],
    [null, '<?xml version="1.0"?><x/>', "application/xml", "no label"],
    [null, '<?xml version="1.0"?><html lang="en">', "application/xhtml+xml", "no label"],
    [null, "plain words", "text/plain", "no label"],
    [null, "", "text/plain", "no label, nothing"],
    ["application/octet-stream", "%PDF-1.4", "application/pdf", "a download"],
    ["application/octet-stream", HTML, "text/html", "markup"],
    ["text/html", "\xff\xfea\0b\0c\0", "text/html", "UTF-16 by BOM"],
  ];
  test.each(pages)("%p %j is the page type %s (%s)", (declared, body, contentType) => {
    const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
    expect(sniffPage(declared, null, bytes)).toEqual({ contentType, isPage: true });
  });

  const others: [declared: string | null, body: Buffer, type: string, why: string][] = [
    ["text/html", zlib.gzipSync(HTML), "application/gzip", "packed without saying so"],
    ["text/html", noise, "application/octet-stream", "binary"],
    [null, noise, "application/octet-stream", "binary"],
    ["text/plain", Buffer.from("PK\x03\x04rest"), "application/zip", "an archive"],
    ["text/html", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "image/png", "a picture"],
    ["application/octet-stream", Buffer.from("words"), "application/octet-stream", "who knows"],
    ["application/xml", Buffer.alloc(2_000), "application/octet-stream", "NULs"],
  ];
  test.each(others)("%p is no page", (declared, bytes, contentType) => {
    expect(sniffPage(declared, null, bytes)).toEqual({ contentType, isPage: false });
  });

  test("UTF-16 without BOM is believed when the server says so", () => {
    const bytes = Buffer.from("<html>", "utf16le");
    expect(sniffPage("text/html", "utf-16le", bytes).isPage).toBe(true);
    expect(sniffPage("text/html", null, bytes).isPage).toBe(false);
  });

  test("no text makes it slow", () => {
    const startedAt = performance.now();
    for (const piece of ["<!---->", "<!--", "<?x?>", "<!doctype ", "   ", "<!----><?x?>"]) {
      sniffPage(null, null, Buffer.from(piece.repeat(2_000)));
    }
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

test("judgeDeclared lets through what is read, and what must be looked into", () => {
  expect(judgeDeclared("application/xhtml+xml")).toBe("page");
  expect(judgeDeclared("application/atom+xml")).toBe("page");
  expect(judgeDeclared(null)).toBe("unsure");
  expect(judgeDeclared("application/octet-stream")).toBe("unsure");
  for (const type of ["image/png", "application/json", "text/css", "video/mp4"]) {
    expect(judgeDeclared(type)).toBe("other");
  }
});
