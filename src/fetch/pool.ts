import { type Connected, type Connection, type Endpoint, openConnection } from "./connect.ts";
import type { FetchOptions } from "./options.ts";

export type PoolOptions = Pick<
  FetchOptions,
  "connectTimeoutMs" | "idleMs" | "idleMax" | "ca" | "clock"
>;

/** Idle connections by endpoint. An address and a name decide: neither alone is an origin. */
export class Pool {
  readonly #options: PoolOptions;
  /** In the order in which they fell idle. */
  readonly #idle = new Set<Connection>();
  readonly #byEndpoint = new Map<string, Connection[]>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  /** The connection last used for the endpoint, if one is idle. */
  take(endpoint: Endpoint): Connection | null {
    const connection = this.#byEndpoint.get(keyOf(endpoint))?.at(-1);
    if (connection === undefined) return null;
    this.#forget(connection);
    return connection;
  }

  /** @param leftMs milliseconds after which nobody would wait for the connection */
  open(endpoint: Endpoint, leftMs: number, signal: AbortSignal): Promise<Connected> {
    const { connectTimeoutMs, ca } = this.#options;
    const timeoutMs = Math.max(0, Math.min(connectTimeoutMs, leftMs));
    return openConnection(endpoint, { timeoutMs, ca, signal });
  }

  /** Takes back a connection whose last answer was read to its end. */
  give(connection: Connection): void {
    if (!connection.isOpen) return;
    connection.listener = null;
    connection.hasServed = true;
    connection.idleSinceMs = this.#options.clock.now();
    connection.onIdleEnd = () => this.#forget(connection);
    this.#idle.add(connection);
    const key = keyOf(connection.endpoint);
    const siblings = this.#byEndpoint.get(key);
    if (siblings === undefined) this.#byEndpoint.set(key, [connection]);
    else siblings.push(connection);
    if (this.#idle.size > this.#options.idleMax) this.#closeOldest();
  }

  /** Closes what has been idle for too long. */
  prune(): void {
    const before = this.#options.clock.now() - this.#options.idleMs;
    for (const connection of this.#idle) {
      if (connection.idleSinceMs > before) return;
      this.#forget(connection);
      connection.close();
    }
  }

  close(): void {
    for (const connection of [...this.#idle]) {
      this.#forget(connection);
      connection.close();
    }
  }

  #closeOldest(): void {
    for (const connection of this.#idle) {
      this.#forget(connection);
      connection.close();
      return;
    }
  }

  #forget(connection: Connection): void {
    connection.onIdleEnd = null;
    this.#idle.delete(connection);
    const key = keyOf(connection.endpoint);
    const siblings = this.#byEndpoint.get(key) ?? [];
    const at = siblings.indexOf(connection);
    if (at >= 0) siblings.splice(at, 1);
    if (siblings.length === 0) this.#byEndpoint.delete(key);
  }
}

const keyOf = ({ address, port, tlsName }: Endpoint) => `${address} ${port} ${tlsName ?? ""}`;
