import { checkServerIdentity } from "node:tls";
import { isShortOfFiles } from "../open-files.ts";
import { FarewellWatch } from "./farewell.ts";
import type { Ending } from "./response.ts";

/** One way to an origin: connections are shared among requests that agree in all of it. */
export interface Endpoint {
  /** A checked address; names are never asked for here. */
  address: string;
  port: number;
  /** The name that the certificate must bear; null: no TLS. */
  tlsName: string | null;
}

export interface ConnectionListener {
  data(bytes: Buffer): void;
  closed(ending: Ending, detail: string): void;
}

export type Connected =
  | { kind: "connected"; connection: Connection }
  | { kind: "failed"; cause: "connect" | "tls"; detail: string }
  /** We have no descriptor left: it says nothing of the other side. */
  | { kind: "no descriptor" }
  | { kind: "aborted" };

export interface ConnectOptions {
  /** For the TCP connection, and again for the TLS handshake. */
  timeoutMs: number;
  /** Certificates (PEM) to trust instead of the system's. */
  ca: string | undefined;
  signal: AbortSignal;
}

type BunSocket = Bun.Socket<Connection>;

/** ALPN, as a length and a name: some servers speak HTTP/2 to who does not say. */
const HTTP_1_1 = Buffer.from("\x08http/1.1");

/** A connection to one endpoint. What arrives while nobody listens ends it: nobody asked for it. */
export class Connection {
  readonly endpoint: Endpoint;
  listener: ConnectionListener | null = null;
  /** Called once, when it has ended while nobody listened. */
  onIdleEnd: (() => void) | null = null;
  isOpen = true;
  hasServed = false;
  idleSinceMs = 0;
  farewell: FarewellWatch | null = null;
  #socket: BunSocket | null = null;
  #unsent: Uint8Array | null = null;
  #hasEnded = false;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  attach(socket: BunSocket): void {
    this.#socket = socket;
  }

  send(bytes: Uint8Array): void {
    const sent = this.#socket?.write(bytes) ?? 0;
    this.#unsent = sent < bytes.length ? bytes.subarray(Math.max(0, sent)) : null;
  }

  flush(): void {
    if (this.#unsent !== null) this.send(this.#unsent);
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    if (this.isOpen) this.#socket?.resume();
  }

  /** Ends it at once; the listener hears nothing more. */
  close(): void {
    this.listener = null;
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#socket?.terminate();
  }

  received(bytes: Buffer): void {
    if (this.listener === null) this.#end("ended", "unasked bytes");
    else this.listener.data(bytes);
  }

  /** The other side has sent its last byte. */
  ended(): void {
    const isWhole = this.farewell === null || this.farewell.isSaid;
    this.#end(isWhole ? "ended" : "cut", "");
  }

  lost(error: unknown): void {
    this.#end(error ? "reset" : "cut", error ? textOf(error) : "");
  }

  #end(ending: Ending, detail: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { listener } = this;
    this.close();
    if (listener !== null) listener.closed(ending, detail);
    else this.onIdleEnd?.();
  }
}

/** Opens one connection. TCP first, TLS upon it, so that each failure has its own name. */
export function openConnection(endpoint: Endpoint, options: ConnectOptions): Promise<Connected> {
  return new Promise((done) => {
    const connection = new Connection(endpoint);
    let phase: "connect" | "tls" = "connect";
    const settle = (result: Connected) => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", abort);
      done(result);
      if (result.kind !== "connected") connection.close();
    };
    const fail = (cause: "connect" | "tls", detail: string) =>
      settle({ kind: "failed", cause, detail });
    const expire = () => fail(phase, "time-out");
    const abort = () => settle({ kind: "aborted" });
    let timer = setTimeout(expire, options.timeoutMs);
    options.signal.addEventListener("abort", abort, { once: true });

    const proceed = (socket: BunSocket) => {
      if (!connection.isOpen) {
        socket.terminate();
        return fail("connect", "closed at once");
      }
      if (endpoint.tlsName === null) {
        connection.attach(socket);
        return settle({ kind: "connected", connection });
      }
      clearTimeout(timer);
      phase = "tls";
      timer = setTimeout(expire, options.timeoutMs);
      secure(connection, socket, endpoint.tlsName, options.ca, (problem) => {
        if (problem === null) settle({ kind: "connected", connection });
        else fail("tls", problem);
      });
    };
    Bun.connect<Connection>({
      hostname: endpoint.address,
      port: endpoint.port,
      data: connection,
      socket: HANDLERS,
    }).then(proceed, (error: unknown) => {
      if (isShortOfFiles()) settle({ kind: "no descriptor" });
      else fail("connect", textOf(error));
    });
  });
}

const HANDLERS: Bun.SocketHandler<Connection> = {
  data: (socket, bytes) => socket.data.received(bytes),
  end: (socket) => socket.data.ended(),
  close: (socket, error) => socket.data.lost(error),
  error: (socket, error) => socket.data.lost(error),
  drain: (socket) => socket.data.flush(),
  connectError: () => {},
};

/** Sees the records before they are decrypted. */
const RAW_HANDLERS: Bun.SocketHandler<Connection> = {
  data: (socket, bytes) => socket.data.farewell?.see(bytes),
  error: () => {},
};

/** TLS over an open socket; `done` hears null, or what is wrong with the other side. */
function secure(
  connection: Connection,
  socket: BunSocket,
  name: string,
  ca: string | undefined,
  done: (problem: string | null) => void,
): void {
  connection.farewell = new FarewellWatch();
  let isDone = false;
  const settle = (problem: string | null) => {
    if (isDone) return;
    isDone = true;
    done(problem);
  };
  const [raw, tls] = socket.upgradeTLS<Connection>({
    data: connection,
    tls: {
      serverName: name,
      rejectUnauthorized: true,
      ALPNProtocols: HTTP_1_1,
      ...(ca === undefined ? {} : { ca }),
    },
    socket: {
      ...HANDLERS,
      handshake: (secured, isTrusted, error) => settle(verify(secured, name, isTrusted, error)),
      close: (closed, error) => {
        settle("closed in handshake");
        closed.data.lost(error);
      },
    },
  });
  raw.data = connection;
  raw.reload({ socket: RAW_HANDLERS });
  connection.attach(tls);
}

/** The library has checked chain and name; the name is checked again, for it is our promise. */
function verify(
  socket: BunSocket,
  name: string,
  isTrusted: boolean,
  error: Error | null,
): string | null {
  if (!isTrusted || error !== null) return error === null ? "not trusted" : textOf(error);
  return checkServerIdentity(name, socket.getPeerCertificate())?.message ?? null;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
