import { type PackedGraph, rankPacked } from "../frontier/host-graph.ts";

/** Entry of the thread that ranks hosts, run by src/threads.ts. */
declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<{ id: number; request: PackedGraph }>) => {
  const { id, request } = data;
  try {
    self.postMessage({ id, value: rankPacked(request) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};

self.postMessage({ ready: true });
