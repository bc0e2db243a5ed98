import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { createLive, frame, type LiveCard } from "../../src/http/live.ts";
import { silentLog } from "../../src/log.ts";
import { until } from "../support/until.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";

/** A hub on hands that the test turns, with one view whose cards it sets. */
function hub(options: { readersMax?: number } = {}) {
  let now = 0;
  let cards: LiveCard[] = [{ id: "a", html: "<p>1</p>" }];
  let isBroken = false;
  let reads = 0;
  const live = createLive({
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        await systemClock.sleep(2);
      },
    },
    log: silentLog,
    views: {
      overview: async () => {
        reads += 1;
        if (isBroken) throw new Error("away");
        return cards;
      },
    },
    ...options,
  });
  return {
    live,
    reads: () => reads,
    show: (next: LiveCard[]) => {
      cards = next;
    },
    fail: (fails: boolean) => {
      isBroken = fails;
    },
  };
}

/** Reads a stream in the background; `text` is what came so far. */
function follow(stream: ReadableStream<Uint8Array> | null) {
  if (stream === null) throw new Error("no stream");
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const state = { text: "", ended: false, leave: () => reader.cancel() };
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      state.text += decoder.decode(value, { stream: true });
    }
    state.ended = true;
  })();
  return state;
}

const yes = async () => true;
const count = (text: string, part: string) => text.split(part).length - 1;

describe("frames", () => {
  test.each([
    "x\nevent: pwned\ndata: y",
    "x\r\n\r\ndata: <div hx-swap-oob='true'>",
    "x\rid: 7\rretry: 1",
    "\n\n: comment",
    "event: pwned",
    "",
  ])("%j cannot leave its data lines", (text) => {
    const lines = new TextDecoder().decode(frame(text)).split("\n");
    expect(lines.slice(-2)).toEqual(["", ""]);
    for (const line of lines.slice(0, -2)) expect(line).toStartWith("data: ");
    const got = lines.slice(0, -2).map((line) => line.slice(6));
    expect(got.join("\n")).toBe(text.replace(/\r\n?/g, "\n"));
  });
});

describe("the live stream", () => {
  test("reads once for all its readers and sends each card only when it changed", async () => {
    const { live, reads, show } = hub();
    const first = follow(live.open("overview", yes));
    await until(() => first.text.includes("<p>1</p>"));
    const readsAlone = reads();
    const rest = Array.from({ length: 20 }, () => follow(live.open("overview", yes)));
    await until(() => rest.every(({ text }) => text.includes("<p>1</p>")));
    await until(() => reads() > readsAlone + 5);
    expect(count(first.text, "<p>1</p>")).toBe(1);
    show([
      { id: "a", html: "<p>1</p>" },
      { id: "b", html: "<p>2</p>" },
    ]);
    await until(() => rest.every(({ text }) => text.includes("<p>2</p>")));
    expect(count(first.text, "<p>1</p>")).toBe(1);
    expect(live.readers).toBe(21);
    live.close();
    await until(() => rest.every(({ ended }) => ended));
    expect(live.readers).toBe(0);
  });

  test("stops reading when nobody looks, and begins again", async () => {
    const { live, reads } = hub();
    const reader = follow(live.open("overview", yes));
    await until(() => reads() > 2);
    await reader.leave();
    await until(() => live.readers === 0);
    let last = -1;
    await until(
      () => {
        const isStill = reads() === last;
        last = reads();
        return isStill;
      },
      { everyMs: 40, what: "no more reads" },
    );
    const again = follow(live.open("overview", yes));
    await until(() => again.text.includes("<p>1</p>"));
    live.close();
  });

  test("a heartbeat comes every 15 s; it survives a view that fails", async () => {
    const { live, fail, show } = hub();
    fail(true);
    const reader = follow(live.open("overview", yes));
    await until(() => count(reader.text, ": still here") >= 3);
    fail(false);
    show([{ id: "a", html: "<p>back</p>" }]);
    await until(() => reader.text.includes("<p>back</p>"));
    live.close();
  });

  test("a reader who does not read misses frames but not the newest state", async () => {
    const { live, reads, show } = hub();
    const stream = live.open("overview", yes);
    for (let at = 0; at < 200; at += 1) {
      const before = reads();
      show([{ id: "a", html: `<p>${at}</p>` }]);
      await until(() => reads() > before, { everyMs: 1 });
    }
    const reader = follow(stream);
    await until(() => reader.text.includes("<p>199</p>"));
    expect(count(reader.text, "<p>")).toBeLessThan(5);
    live.close();
  });

  test("ends when its reader may no longer look, and not because the store is down", async () => {
    const { live } = hub();
    let mayLook = true;
    const reader = follow(live.open("overview", async () => mayLook));
    const lucky = follow(live.open("overview", () => Promise.reject(new Error("away"))));
    await until(() => count(reader.text, ": still here") >= 2);
    mayLook = false;
    await until(() => reader.ended);
    expect(lucky.ended).toBe(false);
    live.close();
  });

  test("has room for so many readers and no more", () => {
    const { live } = hub({ readersMax: 2 });
    const open = [1, 2].map(() => follow(live.open("overview", yes)));
    expect(open).toHaveLength(2);
    expect(live.open("overview", yes)).toBeNull();
    live.close();
    expect(live.open("overview", yes)).not.toBeNull();
    live.close();
  });
});

describe("GET /events", () => {
  test("sends the overview as out-of-band cards; hostile text stays data", async () => {
    const hostile = "x\r\nevent: pwned\r\ndata: <script>alert(1)</script>";
    const fake = createFake({ settings: { version: hostile } });
    fake.deps.status = async () => ({
      ...(await createFake().deps.status()),
      version: hostile,
    });
    const server = startApp(fake);
    const answer = await server.ask("/events?view=overview", { as: "viewer" });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const reader = follow(answer.body);
    await until(() => reader.text.includes("card-parts"));
    expect(reader.text).toContain('hx-swap-oob="outerMorph"');
    expect(reader.text).not.toContain("<script");
    for (const line of reader.text.split(/\r\n|\r|\n/)) {
      expect(line).toMatch(/^($|data: |data:$|: still here$|event: beat$)/);
    }
    server.live.close();
  });

  test("a view that does not exist is refused", async () => {
    const answer = await startApp().ask("/events?view=secrets", { as: "viewer" });
    expect(answer.status).toBe(400);
  });
});
