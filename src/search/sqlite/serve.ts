import type { Request, Response } from "./link.ts";

/** The thread's side of a ThreadLink: one operation after the other, each answer a value. */
export function serve(
  operations: Readonly<Record<string, (argument: never) => unknown>>,
  transfersOf: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  self.onmessage = ({ data }: MessageEvent<Request>) => {
    const response = { number: data.number, answer: run(operations, data) } satisfies Response;
    const { answer } = response;
    postMessage(response, {
      transfer: answer.kind === "answered" ? transfersOf(answer.value) : [],
    });
  };
}

declare const self: Worker;

function run(
  operations: Readonly<Record<string, (argument: never) => unknown>>,
  { operation, argument }: Request,
): Response["answer"] {
  try {
    const own = operations[operation];
    if (own === undefined) throw new Error(`no operation ${operation}`);
    return { kind: "answered", value: own(argument as never) };
  } catch (error) {
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}
