import type { App } from "./app.ts";

export type Serving =
  | { kind: "listening"; url: string; port: number; stop(): Promise<void> }
  | { kind: "taken"; detail: string };

/**
 * Listens on an address; port 0 takes any free one. `stop` ends the live streams, lets requests
 * under way finish and closes; it does not wait for idle connections.
 */
export function serve(app: App, { host, port }: { host: string; port: number }): Serving {
  try {
    app.server.listen({ hostname: host, port });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL") {
      return { kind: "taken", detail: `${host}:${port}: ${code}` };
    }
    throw error;
  }
  const bound = app.server.server!;
  return {
    kind: "listening",
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
    port: bound.port!,
    async stop() {
      app.live.close();
      await bound.stop();
    },
  };
}
