import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../support/until.ts";
import { clientFor, requestFor, Slots } from "./client-for.ts";
import { at, clientWith, closeScene, originWith, page } from "./scene.ts";

afterEach(closeScene);

describe("abort", () => {
  test("ends what is in flight, at once, at every stage", async () => {
    const origin = await originWith((socket, { path }) => {
      if (path === "/body") socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc");
    });
    const client = clientWith();
    for (const path of ["/silent", "/body"]) {
      const abort = new AbortController();
      const slots = new Slots();
      const request = requestFor(at(origin, path), { slot: slots.take, signal: abort.signal });
      const fetching = client.fetch(request);
      await until(() => origin.asked.some((asked) => asked.path === path));
      const startedAt = performance.now();
      abort.abort();
      expect((await fetching).kind).toBe("aborted");
      expect(performance.now() - startedAt).toBeLessThan(200);
      expect(slots.held).toBe(0);
    }
    await until(() => origin.open() === 0, { what: "the end of the connections" });
  });

  test("before anything began asks for no slot", async () => {
    const slots = new Slots();
    const signal = AbortSignal.abort();
    const request = requestFor("http://127.0.0.1:9999/", { slot: slots.take, signal });
    expect((await clientWith().fetch(request)).kind).toBe("aborted");
    expect(slots.addresses).toEqual([]);
  });

  test("while waiting for a slot", async () => {
    const abort = new AbortController();
    const request = requestFor("http://127.0.0.1:9999/", {
      signal: abort.signal,
      slot: (_, signal) =>
        new Promise((done) => signal?.addEventListener("abort", () => done(null))),
    });
    const fetching = clientWith().fetch(request);
    abort.abort();
    expect((await fetching).kind).toBe("aborted");
  });

  test("close ends everything, and later requests too", async () => {
    const origin = await originWith(() => {});
    const client = clientFor();
    const fetching = client.fetch(requestFor(at(origin)));
    await until(() => origin.asked.length === 1);
    await client.close();
    expect((await fetching).kind).toBe("aborted");
    expect((await client.fetch(requestFor(at(origin)))).kind).toBe("aborted");
    await until(() => origin.open() === 0, { what: "the end of the connections" });
  });
});

describe("slots", () => {
  test("none to be had: nothing is sent", async () => {
    const origin = await originWith(page);
    const outcome = await clientWith().fetch(requestFor(at(origin), { slot: async () => null }));
    expect(outcome).toEqual({ kind: "no slot" });
    expect(origin.connections()).toBe(0);
  });

  test("are held to the end of the answer", async () => {
    const slots = new Slots();
    let heldWithin = 0;
    const origin = await originWith((socket) => {
      socket.write("HTTP/1.1 404 None\r\nContent-Length: 3\r\n\r\nab");
      setTimeout(() => {
        heldWithin = slots.held;
        socket.write("c");
      }, 50);
    });
    await clientWith().fetch(requestFor(at(origin), { slot: slots.take }));
    expect({ heldWithin, held: slots.held }).toEqual({ heldWithin: 1, held: 0 });
  });
});
