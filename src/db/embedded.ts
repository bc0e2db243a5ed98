import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { findBinaries } from "./embedded-binaries.ts";
import { createCluster, inspectCluster, SUPERUSER } from "./embedded-cluster.ts";
import { diskFailure, type EmbeddedFailure } from "./embedded-failure.ts";
import { type Hold, takeHold } from "./embedded-hold.ts";
import { isAlive, readPostmaster, removeStale, runsOn } from "./embedded-pid.ts";
import { findPlace, type Place } from "./embedded-place.ts";
import { choosePort, keepPort, launchServer, stopServer } from "./embedded-server.ts";

/** What a start is busy with, for a progress line. */
export type EmbeddedStep = "creating" | "starting" | "waiting";

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly progress?: (step: EmbeddedStep) => void;
  /** Aborting ends the wait for a server that comes or goes; one that runs is kept. */
  readonly signal?: AbortSignal | undefined;
  /** See PlaceOptions. */
  readonly refuge?: string;
  readonly mayMap?: boolean;
}

export interface Embedded {
  readonly kind: "running";
  readonly url: string;
  readonly how: "started" | "adopted";
  /** Something the operator should read once, such as data that had to go elsewhere. */
  readonly notice: string | null;
  /** Lets go; the last process of all stops the server and waits for its end. Safe to repeat. */
  stop(): Promise<void>;
}

export type EmbeddedStart = Embedded | EmbeddedFailure;

const ATTEMPT_PAUSE_MS = 50;
const START_TIMEOUT_MS = 10 * 60_000;
const PORT_TRIES = 5;
const RESTART_PAUSE_MS = 1_000;

/**
 * The real Postgres below `dataDir`: adopts the one that runs, whoever started it, else starts it,
 * else makes it. While we hold it, it is started again on the same port when it dies.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedStart> {
  const found = findBinaries();
  if (found.kind !== "found") return found;
  const placed = await findPlace({ ...options, binaries: found.binaries });
  if (placed.kind === "failed") return placed.failure;
  const embedded = new EmbeddedServer(placed.place, options);
  return embedded.start();
}

type Attempt =
  | { readonly kind: "held"; readonly how: "started" | "adopted" }
  | { readonly kind: "again" }
  | { readonly kind: "failed"; readonly failure: EmbeddedFailure };

class EmbeddedServer {
  private readonly place: Place;
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly progress: (step: EmbeddedStep) => void;
  private readonly signal: AbortSignal | undefined;
  private readonly stopping = new AbortController();
  private hold: Hold | null = null;
  private lastDetail = "it never answered";
  private url = "";
  private restoring: Promise<void> | null = null;
  private stopped: Promise<void> | null = null;

  constructor(place: Place, options: EmbeddedOptions) {
    this.place = place;
    this.log = options.log;
    this.clock = options.clock ?? systemClock;
    this.progress = options.progress ?? (() => {});
    this.signal = options.signal;
  }

  async start(): Promise<EmbeddedStart> {
    const end = this.clock.now() + START_TIMEOUT_MS;
    while (this.clock.now() < end && this.signal?.aborted !== true) {
      const attempt = await this.attempt();
      if (attempt.kind === "failed") return attempt.failure;
      if (attempt.kind === "held") return this.running(attempt.how);
      await this.clock.sleep(ATTEMPT_PAUSE_MS);
    }
    const message =
      `Postgres in ${this.place.data} neither runs nor stops (${this.lastDetail}): ` +
      "see postgres.log beside that folder";
    return { kind: "timeout", message };
  }

  private running(how: "started" | "adopted"): Embedded {
    const { notice } = this.place;
    this.log.info("postgres.held", { how, data: this.place.data });
    if (notice !== null) this.log.warn("postgres.elsewhere", { notice });
    return { kind: "running", url: this.url, how, notice, stop: () => this.stop() };
  }

  /** One look at the folder, and one step towards a server that we hold. */
  private async attempt(): Promise<Attempt> {
    try {
      const cluster = inspectCluster(this.place.data);
      if (cluster.kind === "failed") return cluster;
      if (cluster.kind === "none") return await this.create();
      const postmaster = readPostmaster(this.place.data);
      if (postmaster !== null && runsOn(postmaster.pid, this.place.data)) {
        this.progress("waiting");
        if (postmaster.status !== "ready" || postmaster.port === null) return { kind: "again" };
        return await this.take(postmaster.port, cluster.password, "adopted");
      }
      // A dead number stays: by its file Postgres finds sessions that outlived their server.
      const isForeign = postmaster !== null && isAlive(postmaster.pid);
      if (isForeign) removeStale(this.place.data, postmaster);
      return await this.launch(cluster.password);
    } catch (error) {
      return { kind: "failed", failure: diskFailure(error, this.place.data) };
    }
  }

  private async create(): Promise<Attempt> {
    this.progress("creating");
    const failure = await createCluster(this.place);
    return failure === null ? { kind: "again" } : { kind: "failed", failure };
  }

  private async launch(password: string): Promise<Attempt> {
    this.progress("starting");
    for (let tries = 1; ; tries++) {
      const port = await choosePort(this.place.data);
      const launched = await launchServer(this.place, this.clock, port);
      if (launched.kind === "outrun") return { kind: "again" };
      if (launched.kind === "ready") {
        keepPort(this.place, port);
        const taken = await this.take(port, password, "started");
        // Nobody could use it, so nobody would stop it.
        if (taken.kind === "failed") await stopServer(this.place.data, this.clock);
        return taken;
      }
      if (launched.failure.kind !== "port taken" || tries >= PORT_TRIES) return launched;
    }
  }

  private async take(port: number, password: string, how: "started" | "adopted"): Promise<Attempt> {
    const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
    const taken = await takeHold(url, () => this.restore());
    if (taken.kind === "away") {
      this.lastDetail = taken.detail;
      return { kind: "again" };
    }
    if (taken.kind === "stranger") {
      const message =
        `the database in ${this.place.data} refuses the password in its file trawl-password ` +
        `(${taken.detail}): put the right file back`;
      return { kind: "failed", failure: { kind: "damaged", message } };
    }
    this.hold = taken.hold;
    if (this.url !== "" && this.url !== url) this.log.error("postgres.moved", { port });
    this.url = url;
    return { kind: "held", how };
  }

  /** The server, or our connection to it, went away: hold it again, starting it if need be. */
  private restore(): void {
    if (this.stopping.signal.aborted || this.restoring !== null) return;
    this.restoring = this.holdAgain().finally(() => {
      this.restoring = null;
    });
  }

  private async holdAgain(): Promise<void> {
    this.log.warn("postgres.lost", { data: this.place.data });
    await this.hold?.end();
    this.hold = null;
    while (!this.stopping.signal.aborted) {
      const attempt = await this.attempt();
      if (attempt.kind === "held") return this.log.info("postgres.restored", { how: attempt.how });
      if (attempt.kind === "failed") this.log.error("postgres.failed", { ...attempt.failure });
      const pause = attempt.kind === "failed" ? RESTART_PAUSE_MS : ATTEMPT_PAUSE_MS;
      await this.clock.sleep(pause, this.stopping.signal);
    }
  }

  private stop(): Promise<void> {
    this.stopped ??= this.letGo();
    return this.stopped;
  }

  private async letGo(): Promise<void> {
    this.stopping.abort();
    await this.restoring;
    const isLast = (await this.hold?.release()) ?? false;
    if (isLast) {
      const result = await stopServer(this.place.data, this.clock);
      this.log.info("postgres.stopped", { result });
    }
    await this.hold?.end();
  }
}
