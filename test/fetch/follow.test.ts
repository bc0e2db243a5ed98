import { afterEach, describe, expect, test } from "bun:test";
import { nameOf, requestFor, Slots } from "./client-for.ts";
import { type Answer, html, httpAnswer } from "./origin.ts";
import { at, clientWith, closeScene, originWith } from "./scene.ts";

afterEach(closeScene);

describe("fetchFollowing", () => {
  const hop: Answer = (socket, { path }) => {
    const n = Number(path.slice(1));
    if (n === 0) socket.write(httpAnswer("200 OK", {}, html("there")));
    else socket.write(httpAnswer("302 Found", { Location: `/${n - 1}` }));
  };
  const go = { hopsMax: 5, onHop: async () => "go" as const };

  test("follows five hops, each with a slot, and no sixth", async () => {
    const origin = await originWith(hop);
    const client = clientWith();
    const slots = new Slots();
    const five = await client.fetchFollowing(
      requestFor(at(origin, "/5"), { slot: slots.take }),
      go,
    );
    expect(five).toMatchObject({ kind: "fetched", url: at(origin, "/0") });
    expect(slots).toMatchObject({ held: 0, sent: 6 });
    const six = await client.fetchFollowing(requestFor(at(origin, "/6")), go);
    expect(six).toMatchObject({ kind: "redirected", url: at(origin, "/1") });
    expect(origin.asked.map((asked) => asked.path)).not.toContain("/-1");
  });

  test("asks before each hop", async () => {
    const origin = await originWith(hop);
    const seen: string[] = [];
    const onHop = async (url: string) => {
      seen.push(url);
      return seen.length < 2 ? ("go" as const) : ("stop" as const);
    };
    const following = { hopsMax: 5, onHop };
    const outcome = await clientWith().fetchFollowing(requestFor(at(origin, "/5")), following);
    expect(outcome).toMatchObject({ kind: "redirected", url: at(origin, "/4") });
    expect(seen).toEqual([at(origin, "/4"), at(origin, "/3")]);
    expect(origin.asked.length).toBe(2);
  });

  test("guards each hop", async () => {
    const origin = await originWith((socket, { path }) =>
      socket.write(httpAnswer("302 Found", { Location: decodeURIComponent(path.slice(1)) })),
    );
    const client = clientWith();
    const to = (url: string) => requestFor(at(origin, `/${encodeURIComponent(url)}`));
    const table = [
      ["http://169.254.169.254/", "refused address"],
      ["file:///etc/passwd", "refused scheme"],
      ["http://user@127.0.0.1/", "refused credentials"],
      ["http://127.0.0.1:25/", "refused port"],
    ] as const;
    for (const [url, name] of table) {
      expect(nameOf(await client.fetchFollowing(to(url), go))).toBe(name);
    }
  });

  test("a loop ends at the limit", async () => {
    const origin = await originWith((socket, { path }) =>
      socket.write(httpAnswer("302 Found", { Location: path })),
    );
    const outcome = await clientWith().fetchFollowing(requestFor(at(origin, "/me")), go);
    expect(outcome.kind).toBe("redirected");
    expect(origin.asked.length).toBe(6);
  });
});
