import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../support/until.ts";
import { knowing, nameOf, requestFor, Slots, textOf } from "./client-for.ts";
import { type Answer, html, httpAnswer, startOrigin } from "./origin.ts";
import { at, clientWith, closeScene, originWith, page } from "./scene.ts";

afterEach(closeScene);

describe("connections", () => {
  test("are kept for the next request, whatever the answer was", async () => {
    const origin = await originWith((socket, { path }) => {
      if (path === "/404") socket.write(httpAnswer("404 None", {}, "x".repeat(1_000)));
      else page(socket, { path, head: "", connection: 0 });
    });
    const client = clientWith();
    for (const path of ["/1", "/404", "/2", "/404", "/3"]) {
      await client.fetch(requestFor(at(origin, path)));
    }
    expect(origin.asked.length).toBe(5);
    expect(origin.connections()).toBe(1);
  });

  test("are not shared by origins, addresses or after bytes that nobody asked for", async () => {
    const origin = await originWith(
      (socket, { path }) => {
        page(socket, { path, head: "", connection: 0 });
        if (path === "/more") socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
      },
      { address: "0.0.0.0" },
    );
    const client = clientWith();
    await client.fetch(requestFor(at(origin)));
    await client.fetch(requestFor(`http://127.0.0.2:${origin.port}/`));
    expect(origin.connections()).toBe(2);
    await client.fetch(requestFor(at(origin, "/more")));
    const outcome = await client.fetch(requestFor(at(origin, "/after")));
    expect(textOf(outcome)).toBe(html("/after"));
    expect(origin.connections()).toBe(3);
  });

  test("that went stale are replaced once, unseen", async () => {
    const origin = await originWith((socket, { path, connection }) => {
      if (connection === 1 && path === "/2") socket.destroy();
      else page(socket, { path, head: "", connection });
    });
    const client = clientWith();
    const slots = new Slots();
    await client.fetch(requestFor(at(origin, "/1"), { slot: slots.take }));
    const outcome = await client.fetch(requestFor(at(origin, "/2"), { slot: slots.take }));
    expect(textOf(outcome)).toBe(html("/2"));
    expect(origin.connections()).toBe(2);
    expect(slots).toMatchObject({ held: 0, addresses: ["127.0.0.1", "127.0.0.1"] });
  });

  test("that die fresh, or within an answer, are resets", async () => {
    const origin = await originWith((socket, { path, connection }) => {
      if (path === "/half") socket.end("HTTP/1.1 200 OK\r\nContent-Type: te");
      else if (path === "/dies") socket.destroy();
      else page(socket, { path, head: "", connection });
    });
    const client = clientWith();
    expect(nameOf(await client.fetch(requestFor(at(origin, "/dies"))))).toBe("interrupted reset");
    expect(origin.connections()).toBe(1);
    await client.fetch(requestFor(at(origin, "/ok")));
    expect(nameOf(await client.fetch(requestFor(at(origin, "/half"))))).toBe("interrupted reset");
    expect(origin.connections()).toBe(2);
  });

  test("are closed when idle, and bounded in number", async () => {
    const origin = await originWith(page, { address: "0.0.0.0" });
    const client = clientWith({ idleMs: 300, idleMax: 3 });
    const addresses = [1, 2, 3, 4, 5].map((n) => `http://127.0.0.${n}:${origin.port}/`);
    for (const url of addresses) await client.fetch(requestFor(url));
    await until(() => origin.open() === 3, { what: "the oldest to be closed" });
    await until(() => origin.open() === 0, { what: "the idle to be closed" });
  });

  test("go to the next address when the first refuses", async () => {
    const origin = await originWith(page, { address: "127.0.0.3" });
    const slots = new Slots();
    const resolver = knowing({ "a.example": ["127.0.0.2", "127.0.0.3", "127.0.0.4"] });
    const client = clientWith({ resolver });
    const url = `http://a.example:${origin.port}/`;
    const outcome = await client.fetch(requestFor(url, { slot: slots.take }));
    expect(outcome).toMatchObject({ kind: "fetched", address: "127.0.0.3" });
    expect(slots).toMatchObject({ held: 0, sent: 1, addresses: ["127.0.0.2", "127.0.0.3"] });
  });

  test("say nothing when the slot was lost while they were made, or kept", async () => {
    const slots = new Slots();
    const origin = await originWith(page);
    const client = clientWith();
    slots.isLost = true;
    expect(await client.fetch(requestFor(at(origin), { slot: slots.take }))).toEqual({
      kind: "no slot",
    });
    slots.isLost = false;
    await client.fetch(requestFor(at(origin), { slot: slots.take }));
    slots.isLost = true;
    expect(await client.fetch(requestFor(at(origin), { slot: slots.take }))).toEqual({
      kind: "no slot",
    });
    expect(slots).toMatchObject({ held: 0, sent: 1 });
  });

  test("that cannot be made count on the host", async () => {
    const slots = new Slots();
    const origin = await startOrigin(page);
    await origin.close();
    const outcome = await clientWith().fetch(requestFor(at(origin), { slot: slots.take }));
    expect(nameOf(outcome)).toBe("unreachable connect");
    expect(slots).toMatchObject({ held: 0, sent: 0 });
  });
});

describe("limits", () => {
  const never: Answer = () => {};
  const drip =
    (head: string): Answer =>
    (socket) => {
      socket.write(head);
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer);
        else socket.write("a");
      }, 20);
    };
  const table: [why: string, answer: Answer, name: string][] = [
    ["an answer that never begins", never, "interrupted timeout"],
    ["a head without end", drip("HTTP/1.1 200 OK\r\nX: "), "interrupted timeout"],
    [
      "a body that takes longer than allowed",
      drip("HTTP/1.1 200 OK\r\n\r\n"),
      "interrupted timeout",
    ],
  ];
  test.each(table)("%s", async (_, answer, name) => {
    const origin = await originWith(answer);
    const slots = new Slots();
    const client = clientWith({ headTimeoutMs: 400 });
    const request = requestFor(at(origin), { slot: slots.take, timeoutMs: 800 });
    const startedAt = Date.now();
    expect(nameOf(await client.fetch(request))).toBe(name);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(slots.held).toBe(0);
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });

  test("a body slower than the minimum rate", async () => {
    const origin = await originWith(drip("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"));
    const client = clientWith({ minRateBytesPerS: 1_000 });
    const outcome = await client.fetch(requestFor(at(origin), { timeoutMs: 30_000 }));
    expect(nameOf(outcome)).toBe("interrupted slow");
  }, 30_000);

  test("an error page that drips is not waited for", async () => {
    const head = "HTTP/1.1 404 None\r\nContent-Length: 1000\r\n\r\n";
    const origin = await originWith(drip(head));
    const startedAt = Date.now();
    expect(await clientWith().fetch(requestFor(at(origin)))).toMatchObject({ kind: "gone" });
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });

  test("a large error page ends its connection", async () => {
    const body = "x".repeat(200_000);
    const origin = await originWith((socket) => socket.write(httpAnswer("500 Oops", {}, body)));
    expect((await clientWith().fetch(requestFor(at(origin)))).kind).toBe("unavailable");
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });
});
