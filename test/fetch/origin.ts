import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

export interface Asked {
  /** Head of the request as it came, without the empty line. */
  head: string;
  path: string;
  /** Which connection of the origin it came over, from 1. */
  connection: number;
}

export interface Origin {
  port: number;
  asked: Asked[];
  /** Connections that were ever made. */
  connections(): number;
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

export type Answer = (socket: Socket, asked: Asked) => void;

/** A server of bytes, not of HTTP: `answer` gets each request head, and may do anything. */
export async function startOrigin(
  answer: Answer,
  options: { address?: string; port?: number; tls?: TlsOptions } = {},
): Promise<Origin> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const accept = (socket: Socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let held = "";
    socket.on("data", (bytes) => {
      held += bytes.toString("latin1");
      for (let end = held.indexOf("\r\n\r\n"); end >= 0; end = held.indexOf("\r\n\r\n")) {
        const head = held.slice(0, end);
        held = held.slice(end + 4);
        const one = { head, path: head.split(" ")[1] ?? "", connection };
        asked.push(one);
        answer(socket, one);
      }
    });
  };
  const server: Server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
  await new Promise<void>((ready) =>
    server.listen(options.port ?? 0, options.address ?? "127.0.0.1", ready),
  );
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : 0,
    asked,
    connections: () => connections,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** An answer of a well-behaved server. */
export function httpAnswer(
  status: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array = "",
): Buffer {
  const bytes = Buffer.from(body);
  const all = { "Content-Type": "text/html", "Content-Length": `${bytes.length}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), bytes]);
}

export const html = (text: string) =>
  `<!doctype html><html><head><title>t</title></head><body>${text}</body></html>`;
