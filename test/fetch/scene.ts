import type { FetchClient } from "../../src/fetch/client.ts";
import { clientFor } from "./client-for.ts";
import { type Answer, html, httpAnswer, type Origin, startOrigin } from "./origin.ts";

const closing: { close(): Promise<void> }[] = [];

/** For `afterEach`. */
export async function closeScene(): Promise<void> {
  for (const one of closing.splice(0)) await one.close();
}

/** An origin that ends with the test. */
export async function originWith(
  answer: Answer,
  options: Parameters<typeof startOrigin>[1] = {},
): Promise<Origin> {
  const origin = await startOrigin(answer, options);
  closing.push(origin);
  return origin;
}

/** A client that ends with the test. */
export function clientWith(options: Parameters<typeof clientFor>[0] = {}): FetchClient {
  const client = clientFor(options);
  closing.push(client);
  return client;
}

/** A page that shows its path. */
export const page: Answer = (socket, { path }) =>
  socket.write(httpAnswer("200 OK", {}, html(path)));

export const at = (origin: Origin, path = "/") => `http://127.0.0.1:${origin.port}${path}`;
