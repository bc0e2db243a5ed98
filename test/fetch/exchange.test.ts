import { expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { Connection } from "../../src/fetch/connect.ts";
import { Exchange } from "../../src/fetch/exchange.ts";
import { FETCH_DEFAULTS } from "../../src/fetch/options.ts";
import { Pool } from "../../src/fetch/pool.ts";

test.each([false, true])(
  "over a connection that has ended is a reset (had served: %p)",
  async (hasServed) => {
    const connection = new Connection({ address: "127.0.0.1", port: 80, tlsName: null });
    connection.hasServed = hasServed;
    connection.close();
    const exchange = new Exchange(connection, Buffer.from("GET / HTTP/1.1\r\n\r\n"), {
      ...FETCH_DEFAULTS,
      clock: systemClock,
      pool: new Pool({ ...FETCH_DEFAULTS, clock: systemClock }),
      deadlineMs: Date.now() + 5_000,
      plan: () => ({ kind: "stop" }),
    });
    expect(await exchange.ended).toMatchObject({
      kind: "failed",
      problem: { kind: "interrupted", cause: "reset" },
      isStale: hasServed,
    });
  },
);
