import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Cidr } from "./address.ts";
import type { Resolver } from "./resolve.ts";

export interface FetchOptions {
  userAgent: string;
  resolver: Resolver;
  /** Ranges opened on purpose, beside the public addresses. */
  allowCidrs: readonly Cidr[];
  /** A body slower than this over 5 s is given up. */
  minRateBytesPerS: number;
  /** Cap on the head, interim answers included. */
  headerBytesMax: number;
  /** For TCP, and again for TLS. */
  connectTimeoutMs: number;
  /** From the request to the end of the head. */
  headTimeoutMs: number;
  /** Idle connections are closed after this. */
  idleMs: number;
  /** Idle connections kept in all; the one idle longest goes first. */
  idleMax: number;
  clock: Clock;
  log: Log;
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string;
}

/** Limits that an operator has no reason to change. */
export const FETCH_DEFAULTS = {
  minRateBytesPerS: 100,
  headerBytesMax: 65_536,
  connectTimeoutMs: 10_000,
  headTimeoutMs: 10_000,
  idleMs: 10_000,
  idleMax: 512,
} as const;

/** Connections that idle until the next request of their host; one host has several addresses. */
export const IDLE_PER_TURN = 2;
