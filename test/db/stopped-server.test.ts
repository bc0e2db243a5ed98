import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openDatabase } from "../../src/db/connect.ts";
import { isOutage } from "../../src/db/store-errors.ts";
import { pause } from "../support/pause.ts";

/** A message of the protocol: its kind, its length, its content. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const WELCOME = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);
const FAREWELL = message(
  "E",
  Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
);

test("a server that stops when it is asked for the first time: an outage, nothing uncaught", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("unhandledRejection", note);
  const greeted = new WeakSet<object>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        if (!greeted.has(socket)) {
          greeted.add(socket);
          socket.write(WELCOME);
          return;
        }
        socket.end(FAREWELL);
      },
    },
  });
  const database = await openDatabase({ url: `postgres://u@127.0.0.1:${server.port}/d`, max: 4 });
  const asks = [
    database.db.execute(sql`select 1`),
    database.db.transaction((tx) => tx.execute(sql`select 1`)),
  ];
  for (const asked of asks) {
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(isOutage(error)).toBe(true);
  }
  await pause(100);
  expect(uncaught).toEqual([]);
  process.off("unhandledRejection", note);
  await database.close(100);
  server.stop(true);
});
