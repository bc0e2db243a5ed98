import { getPriority } from "node:os";

/**
 * A thread that does what its request says, for test/threads.test.ts.
 */
declare const self: Worker;

export type ThreadOrder =
  | { do: "echo"; value: unknown }
  | { do: "length"; body: Uint8Array }
  | { do: "loop" | "regex" | "throw" | "throw later" | "exit" }
  | { do: "busy"; ms: number }
  | { do: "eat"; megabytes: number }
  | { do: "priority" };

function obey(order: ThreadOrder): unknown {
  switch (order.do) {
    case "echo":
      return order.value;
    case "length":
      return order.body.byteLength;
    case "loop":
      for (;;);
    case "regex":
      return /^(a+)+$/.test(`${"a".repeat(60)}b`);
    case "throw":
      throw new Error("no page at all");
    case "throw later":
      setTimeout(() => {
        throw new Error("from a timer");
      });
      return waitForever();
    case "exit":
      process.exit(7);
      break;
    case "busy": {
      const end = performance.now() + order.ms;
      while (performance.now() < end);
      return "was busy";
    }
    case "eat": {
      const eaten: Uint8Array[] = [];
      for (let mb = 0; mb < order.megabytes; mb++) eaten.push(new Uint8Array(1 << 20).fill(1));
      return eaten.length;
    }
    case "priority":
      return getPriority(0);
  }
}

const waitForever = () => new Promise(() => {});

let turn = Promise.resolve(self.postMessage({ ready: true }));

self.onmessage = (event: MessageEvent<{ id: number; request: ThreadOrder }>) => {
  const { id, request } = event.data;
  turn = turn.then(() => answer(id, request));
};

async function answer(id: number, order: ThreadOrder): Promise<void> {
  try {
    self.postMessage({ id, value: await obey(order) });
  } catch (error) {
    self.postMessage({ id, error: (error as Error).message });
  }
}
