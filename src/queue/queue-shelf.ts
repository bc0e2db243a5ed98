import type { Queue, QueueOptions } from "bullmq";
import type { Log } from "../log.ts";
import { JOB_DEFAULTS, type QueueName } from "./queues.ts";

/** Events of jobs are read by nobody: as few as may be are kept. */
const EVENTS_MAX = 100;

/** Makes each queue at its first use, with a listener for its errors. */
export class QueueShelf {
  private readonly queues = new Map<QueueName, Queue>();
  private readonly create: (name: QueueName, options: Omit<QueueOptions, "connection">) => Queue;
  private readonly log: Log;

  constructor(create: QueueShelf["create"], log: Log) {
    this.create = create;
    this.log = log;
  }

  get(name: QueueName): Queue {
    const known = this.queues.get(name);
    if (known !== undefined) return known;
    const queue = this.create(name, {
      defaultJobOptions: JOB_DEFAULTS[name],
      streams: { events: { maxLen: EVENTS_MAX } },
    });
    queue.on("error", (error) =>
      this.log.debug("carrier.error", { queue: name, detail: error.message }),
    );
    this.queues.set(name, queue);
    return queue;
  }

  async close(): Promise<void> {
    for (const queue of this.queues.values()) await queue.close().catch(() => {});
  }
}
