import { describe, expect, test } from "bun:test";
import { charsetOfLabel, decodeBody } from "../../src/parse/charset.ts";

/** Text in a one-byte encoding. */
function encoded(charset: string, text: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) bytes.set(decoder.decode(new Uint8Array([byte])), byte);
  return Uint8Array.from(text, (char) => bytes.get(char) ?? 63);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (number[] | Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? utf8(part) : Buffer.from(part))));

describe("who says the encoding", () => {
  const latin = [0xe9]; // é in windows-1252
  const cases: [Uint8Array, string | null, string, string, string][] = [
    [bytes([0xef, 0xbb, 0xbf], "é"), "koi8-r", "bom", "é", "a mark beats the header"],
    [bytes([0xff, 0xfe, 0xe9, 0]), "utf-8", "bom", "é", "UTF-16LE by its mark"],
    [bytes([0xfe, 0xff, 0, 0xe9]), null, "bom", "é", "UTF-16BE by its mark"],
    [bytes(latin), "ISO-8859-1", "header", "é", "a label is a WHATWG label: windows-1252"],
    [bytes([0x80]), "latin1", "header", "€", "so latin1 has a euro"],
    [bytes([0xc0]), '"koi8-r"', "header", "ю", "quotes around a header's value"],
    [bytes('<meta charset="koi8-r">', [0xc0]), "utf-8", "header", "�", "header beats meta"],
    [bytes('<meta charset="koi8-r">', [0xc0]), null, "meta", "ю", "meta"],
    [bytes('<meta charset="koi8-r">', [0xc0]), "utf-7", "meta", "ю", "UTF-7 is no label"],
    [
      bytes("<meta charset=nonsense>é"),
      "x-nonsense",
      "utf-8",
      "é",
      "unknown labels are passed over",
    ],
    [bytes("<meta charset=utf-16le>é"), null, "meta", "é", "ASCII markup is not UTF-16"],
    [bytes("<!-- <meta charset=koi8-r> -->é"), null, "utf-8", "é", "a comment says nothing"],
    [bytes("<a title='<meta charset=koi8-r>'>é"), null, "utf-8", "é", "nor does an attribute"],
    [
      bytes("<META HTTP-EQUIV=Content-Type CONTENT='text/html; CHARSET=koi8-r'>", [0xc0]),
      null,
      "meta",
      "ю",
      "any case",
    ],
    [bytes("é"), null, "utf-8", "é", "valid UTF-8"],
    [bytes("plain"), null, "utf-8", "plain", "ASCII is UTF-8"],
    [bytes("caf", latin), null, "guess", "café", "a single foreign byte is Western"],
  ];
  for (const [body, header, by, ends, why] of cases) {
    test(why, () => {
      const decoded = decodeBody(body, header);
      expect([decoded.by as string, decoded.text.endsWith(ends)]).toEqual([by, true]);
    });
  }
});

describe("the detector", () => {
  const russian =
    "Правительство утвердило новую программу развития сельских территорий до конца года.";
  const cases: [string, string][] = [
    ["windows-1251", russian],
    ["koi8-r", russian],
    ["iso-8859-5", russian],
    [
      "windows-1250",
      "Rząd przyjął wczoraj ustawę o ochronie środowiska, która ma wejść w życie w przyszłym roku",
    ],
    [
      "windows-1252",
      "Le conseil a adopté hier soir le budget de l'année prochaine après de longues délibérations",
    ],
    ["windows-1253", "Η κυβέρνηση ανακοίνωσε χθες το νέο πρόγραμμα για την ανάπτυξη της υπαίθρου"],
    ["windows-1255", "הממשלה הודיעה אתמול על תוכנית חדשה לפיתוח הפריפריה במדינת ישראל"],
  ];
  for (const [charset, text] of cases) {
    test(`${charset}, within English markup`, () => {
      const markup = "<style>body { color: red; background: white }</style><div class='content'>";
      const body = bytes(
        markup,
        encoded(charset, text),
        "</div><script>var something = 1</script>",
      );
      expect(decodeBody(body, null).text).toContain(text);
    });
  }

  test("Shift_JIS", () => {
    const body = Buffer.from(
      "93fa967b8cea82cc8365834c8358836782c582b781424189948ec082f08b7382a282dc82b7",
      "hex",
    );
    expect(decodeBody(body, null).charset).toBe("shift_jis");
  });

  test("UTF-16 that forgot its mark", () => {
    const body = Buffer.from("<html><p>Ünïcode</p></html>", "utf16le");
    expect(decodeBody(body, null)).toMatchObject({ charset: "utf-16le", by: "guess" });
  });

  test("hostile bytes cost no more than others", () => {
    for (const shape of ["<script>", "<style >x", "<", "<!--", '<meta a="', "<a '"]) {
      const body = bytes([0xff, 0xe9, 0xe8, 0xe7, 0xe6], shape.repeat(100_000));
      const before = process.cpuUsage();
      decodeBody(body, null);
      const { user } = process.cpuUsage(before);
      expect(user / 1_000, shape).toBeLessThan(500);
    }
  });
});

test("labels", () => {
  const cases: [string, string | null][] = [
    ["UTF8", "utf-8"],
    [" utf-8 ", "utf-8"],
    ["gb2312", "gbk"],
    ["ks_c_5601-1987", "euc-kr"],
    ["utf-7", null],
    ["utf-32", null],
    ["hz-gb-2312", null],
    ["", null],
    ["x".repeat(1_000), null],
  ];
  for (const [label, charset] of cases) expect(charsetOfLabel(label)).toBe(charset);
});
