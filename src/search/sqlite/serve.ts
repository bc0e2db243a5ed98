import type { Request, Response } from "./link.ts";

/**
 * The thread's side of a ThreadLink: one operation after the other, each answer a value. One that
 * returns a promise must wait for nothing from outside, or the next one begins before it is done.
 */
export function serve(
  operations: Readonly<Record<string, (argument: never) => unknown>>,
  transfersOf: (value: unknown) => ArrayBuffer[] = () => [],
): void {
  self.onmessage = async ({ data }: MessageEvent<Request>) => {
    const response = {
      number: data.number,
      answer: await run(operations, data),
    } satisfies Response;
    const { answer } = response;
    postMessage(response, {
      transfer: answer.kind === "answered" ? transfersOf(answer.value) : [],
    });
  };
}

declare const self: Worker;

async function run(
  operations: Readonly<Record<string, (argument: never) => unknown>>,
  { operation, argument }: Request,
): Promise<Response["answer"]> {
  try {
    const own = operations[operation];
    if (own === undefined) throw new Error(`no operation ${operation}`);
    return { kind: "answered", value: await own(argument as never) };
  } catch (error) {
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}
