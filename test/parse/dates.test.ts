import { describe, expect, test } from "bun:test";
import { dateOfUrl, parseDate, publishedAt } from "../../src/parse/dates.ts";

describe("parseDate", () => {
  const cases: [string, string | null][] = [
    ["2024-05-17", "2024-05-17T00:00:00.000Z"],
    ["2024-05-17T10:30:00Z", "2024-05-17T10:30:00.000Z"],
    ["2024-05-17T10:30:00.123456+02:00", "2024-05-17T08:30:00.000Z"],
    ["2024-05-17T10:30-0400", "2024-05-17T14:30:00.000Z"],
    ["2024-05-17 10:30", "2024-05-17T10:30:00.000Z"],
    ["2024/5/7", "2024-05-07T00:00:00.000Z"],
    ["20240517", "2024-05-17T00:00:00.000Z"],
    ["20240517T103000Z", "2024-05-17T10:30:00.000Z"],
    ["17.05.2024", "2024-05-17T00:00:00.000Z"],
    ["Fri, 17 May 2024 10:30:00 GMT", "2024-05-17T10:30:00.000Z"],
    ["Friday, 17-May-24 10:30:00 EST", "2024-05-17T15:30:00.000Z"],
    ["Fri May 17 10:30:00 2024", "2024-05-17T10:30:00.000Z"],
    ["25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00.000Z"],
    ["17 May 2024", "2024-05-17T00:00:00.000Z"],
    ["May 17th, 2024", "2024-05-17T00:00:00.000Z"],
    ["Sept. 3, 2024 at 9:05", "2024-09-03T09:05:00.000Z"],
    ["2024-02-30", null],
    ["2024-13-01", null],
    ["2024-05-17T25:00", null],
    ["05/06/2024", null],
    ["17 Blah 2024", null],
    ["yesterday", null],
    ["", null],
    ["2".repeat(100_000), null],
  ];
  for (const [written, expected] of cases) {
    test(written.slice(0, 40), () => {
      const date = parseDate(written);
      expect(date === null ? null : new Date(date).toISOString()).toBe(expected);
    });
  }
});

describe("publishedAt", () => {
  const now = Date.UTC(2024, 5, 1);
  const cases: [string[], string | null, string][] = [
    [["nonsense", "2024-05-17"], "2024-05-17T00:00:00.000Z", "the first that reads"],
    [["2031-01-01", "2024-05-17"], "2024-05-17T00:00:00.000Z", "the future is no publication"],
    [["2024-06-01T20:00Z"], "2024-06-01T20:00:00.000Z", "but another time zone may be ahead"],
    [["1970-01-01", "0001-01-01"], null, "nor is the time before the web"],
    [[], null, "none"],
  ];
  for (const [written, expected, why] of cases) {
    test(why, () => expect(publishedAt(written, now)).toBe(expected));
  }
});

test("dates in addresses", () => {
  const cases: [string, string | null][] = [
    ["https://a.example/2024/05/17/title", "2024-05-17"],
    ["https://a.example/news/2024-5-7-title.html", "2024-05-07"],
    ["https://a.example/20240517/x", "2024-05-17"],
    ["https://a.example/2024/05/title", null],
    ["https://a.example/?d=/2024/05/17/", null],
    ["https://a.example/1234/05/17/", null],
    ["https://a.example/20240517123", null],
  ];
  for (const [url, expected] of cases) expect(dateOfUrl(url)).toBe(expected);
});
