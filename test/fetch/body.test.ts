import { describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import { type BodyEnd, BodyIntake, type BodyOptions } from "../../src/fetch/body.ts";
import type { Coding } from "../../src/fetch/decode.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;
const PACK: Record<Coding | "raw deflate", (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  br: (bytes) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
  deflate: (bytes) => zlib.deflateSync(bytes),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
  "raw deflate": (bytes) => zlib.deflateRawSync(bytes),
};
const PACKS = Object.entries(PACK).map(
  ([name, pack]) => [name, name === "raw deflate" ? "deflate" : (name as Coding), pack] as const,
);

const page = (bytes: number) => Buffer.from("<p>abcdefghij klmnop qrst</p>\n".repeat(bytes / 29));
/** What no coding makes smaller. */
const noise = (bytes: number) => {
  const made = Buffer.alloc(bytes);
  for (let i = 0, x = 1; i < bytes; i += 1) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    made[i] = x >>> 24;
  }
  return made;
};

/** Gives the wire to an intake in pieces, waiting when it asks to. */
async function take(
  wire: Buffer,
  options: Partial<BodyOptions> = {},
  pieceBytes = 16_384,
): Promise<{ end: BodyEnd; given: number; judged: number[] }> {
  let isPaused = false;
  const judged: number[] = [];
  const intake = new BodyIntake({
    codings: [],
    bytesMax: 5 * MIB,
    isCut: false,
    lengthHint: 0,
    judge: () => true,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    ...options,
    ...(options.judge && {
      judge: (first: Uint8Array) => {
        judged.push(first.length);
        return options.judge!(first);
      },
    }),
  });
  let isEnded = false;
  void intake.ended.then(() => {
    isEnded = true;
  });
  let given = 0;
  while (given < wire.length) {
    await until(() => !isPaused || isEnded, { what: "the decoder", everyMs: 1 });
    const piece = wire.subarray(given, given + pieceBytes);
    given += piece.length;
    if (!intake.write(piece)) break;
  }
  if (given >= wire.length) intake.finish();
  return { end: await intake.ended, given, judged };
}

const bytesOf = (end: BodyEnd) => {
  if (end.kind !== "whole") throw new Error(JSON.stringify(end));
  return Buffer.from(end.bytes);
};

describe("a body as it is", () => {
  test("comes out as it went in, in a buffer of its own size", async () => {
    const { end } = await take(page(100_000), { lengthHint: 300 });
    expect(bytesOf(end).equals(page(100_000))).toBe(true);
    expect(end.kind === "whole" && end.bytes.buffer.byteLength).toBe(page(100_000).length);
  });

  test("stops at the cap, and just there", async () => {
    const fits = await take(Buffer.alloc(1_000, 97), { bytesMax: 1_000 });
    expect(fits.end.kind).toBe("whole");
    const over = await take(Buffer.alloc(MIB, 97), { bytesMax: 100_000 });
    expect(over.end).toEqual({ kind: "too large", bytes: 114_688 });
    expect(over.given).toBe(114_688);
  });

  test("is cut at the cap when asked to", async () => {
    const { end } = await take(Buffer.alloc(MIB, 97), { bytesMax: 100_000, isCut: true });
    expect(bytesOf(end).length).toBe(100_000);
  });

  test("is judged once, by its first bytes, and then left", async () => {
    const { end, given, judged } = await take(page(MIB), { judge: () => false });
    expect(end.kind).toBe("unwanted");
    expect(given).toBe(16_384);
    expect(judged).toEqual([16_384]);
  });

  test("is judged even when empty", async () => {
    const { end, judged } = await take(Buffer.alloc(0), { judge: () => true });
    expect(bytesOf(end).length).toBe(0);
    expect(judged).toEqual([0]);
  });
});

describe.each(PACKS)("%s", (_, coding, pack) => {
  const codings = [coding];

  test.each([100, 60_000])("a short body of %i bytes", async (bytes) => {
    const { end } = await take(pack(page(bytes)), { codings });
    expect(bytesOf(end).equals(page(bytes))).toBe(true);
    expect(end.kind === "whole" && end.bytes.buffer.byteLength).toBe(page(bytes).length);
  });

  test("a long body, streamed", async () => {
    const { end } = await take(pack(noise(MIB)), { codings });
    expect(bytesOf(end).equals(noise(MIB))).toBe(true);
  });

  test("a short body that unfolds to more than is made at once", async () => {
    const { end } = await take(pack(page(6 * MIB)), { codings, bytesMax: 8 * MIB }, MIB);
    expect(bytesOf(end).equals(page(6 * MIB))).toBe(true);
  });

  test("in two layers", async () => {
    for (const body of [page(10_000), noise(200_000)]) {
      const { end } = await take(zlib.gzipSync(pack(body)), { codings: [coding, "gzip"] });
      expect(bytesOf(end).equals(body)).toBe(true);
      const swapped = await take(pack(zlib.gzipSync(body)), { codings: ["gzip", coding] });
      expect(bytesOf(swapped.end).equals(body)).toBe(true);
    }
  });

  test("a short one cut off is truncated", async () => {
    const wire = pack(page(20_000));
    const { end } = await take(wire.subarray(0, wire.length - 12), { codings });
    expect(end.kind).toBe("truncated");
  });

  test("a long one cut off is truncated", async () => {
    const wire = pack(noise(MIB));
    const { end } = await take(wire.subarray(0, wire.length - 12), { codings });
    expect(end.kind).toBe("truncated");
  });

  test("what is not coded is malformed", async () => {
    const short = await take(Buffer.from("<html>a plain page under a label</html>"), { codings });
    expect(["malformed", "truncated"]).toContain(short.end.kind);
    const long = await take(Buffer.alloc(200_000, "<p>plain</p>"), { codings });
    expect(["malformed", "truncated"]).toContain(long.end.kind);
  });

  test("junk behind it neither hangs nor fills memory", async () => {
    const { end } = await take(Buffer.concat([pack(page(20_000)), noise(MIB)]), { codings });
    expect(["whole", "malformed"]).toContain(end.kind);
    if (end.kind === "whole") expect(bytesOf(end).equals(page(20_000))).toBe(true);
  });

  test("nothing at all is an empty body", async () => {
    const { end } = await take(Buffer.alloc(0), { codings });
    expect(bytesOf(end).length).toBe(0);
  });

  test("a bomb is stopped at the cap, however little of it was read", async () => {
    const bomb = pack(Buffer.alloc(64 * MIB));
    const before = process.memoryUsage.rss();
    const { end } = await take(bomb, { codings, judge: () => false });
    expect(end.kind).toBe("too large");
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MIB);
  });

  test("a bomb is cut where that is asked for", async () => {
    const { end } = await take(pack(Buffer.alloc(64 * MIB)), {
      codings,
      isCut: true,
      bytesMax: MIB,
    });
    expect(bytesOf(end).length).toBe(MIB);
  });

  test("what is packed and unwanted is left", async () => {
    const { end, given } = await take(pack(noise(4 * MIB)), { codings, judge: () => false });
    expect(end.kind).toBe("unwanted");
    expect(given).toBeLessThan(2 * MIB);
  });
});

test("a zstd frame that asks for a window of 128 MiB is refused", async () => {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3]);
  const lastRawBlock = Buffer.from([1 + (1 << 3), 0, 0, 97]);
  const { end } = await take(Buffer.concat([header, lastRawBlock]), { codings: ["zstd"] });
  expect(end.kind).toBe("malformed");
});
