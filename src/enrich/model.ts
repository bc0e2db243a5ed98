import type { Ollama } from "ollama";

/** The one language model of the settings. */
export interface ModelSettings {
  url: string;
  model: string;
}

export interface Question {
  system: string;
  user: string;
  /** Tokens of the answer, at most. */
  tokensMax: number;
}

export type ModelAnswer =
  | { kind: "answered"; text: string }
  /** An answer of no use, or none in time: another page may fare better. */
  | { kind: "failed"; detail: string }
  /** There is no server, or no such model: nothing can be asked now. */
  | { kind: "away"; detail: string };

export type ModelHealth =
  | { kind: "up" }
  | { kind: "down"; detail: string }
  | { kind: "no model"; detail: string };

export interface ModelLimits {
  /** For one question in all. */
  answerMs: number;
  probeMs: number;
}

const MODEL_LIMITS: ModelLimits = { answerMs: 60_000, probeMs: 1_500 };

/** Of an answer: one of a few sentences takes a kilobyte, a list of models some dozens. */
const BYTES_MAX = 512 * 1024;

export class Model {
  readonly #settings: ModelSettings;
  readonly #limits: ModelLimits;

  constructor(settings: ModelSettings, limits: ModelLimits = MODEL_LIMITS) {
    this.#settings = settings;
    this.#limits = limits;
  }

  async ask(question: Question, stop: AbortSignal): Promise<ModelAnswer> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.#limits.answerMs), stop]);
    try {
      const client = await this.#client(signal);
      const answer = await client.chat({
        model: this.#settings.model,
        messages: [
          { role: "system", content: question.system },
          { role: "user", content: question.user },
        ],
        stream: false,
        think: false,
        options: { temperature: 0, num_predict: question.tokensMax },
      });
      const text: unknown = answer?.message?.content;
      if (typeof text === "string") return { kind: "answered", text };
      return { kind: "failed", detail: "the answer has no text" };
    } catch (error) {
      if (stop.aborted) return { kind: "away", detail: "stopped" };
      return troubleOf(error);
    }
  }

  /** Does it answer, and does it have the model? */
  async health(): Promise<ModelHealth> {
    const { url, model } = this.#settings;
    try {
      const client = await this.#client(AbortSignal.timeout(this.#limits.probeMs));
      const { models } = await client.list();
      const names = (Array.isArray(models) ? models : []).map(({ name }) => name);
      if (names.some((name) => name === model || name === `${model}:latest`)) return { kind: "up" };
      return { kind: "no model", detail: `it answers, and has no model ${model}` };
    } catch (error) {
      return { kind: "down", detail: `${troubleOf(error).detail} (${hostOf(url)})` };
    }
  }

  /** Loaded at the first use: most programs have no model. */
  async #client(signal: AbortSignal): Promise<Ollama> {
    const { Ollama } = await import("ollama");
    return new Ollama({ host: this.#settings.url, fetch: boundedFetch(signal) });
  }
}

/** Without what may be secret of it. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? "no address";

/** An answer that is none. */
class RefusedError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** For the client: in time, in bounds, from where it was asked; what is wrong is not printed. */
function boundedFetch(signal: AbortSignal): typeof fetch {
  const bounded = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, { ...init, signal, redirect: "error" });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RefusedError(response.status);
    }
    return new Response(await bytesOf(response), {
      headers: { "content-type": "application/json" },
    });
  };
  return bounded as typeof fetch;
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let sum = 0;
  for await (const piece of response.body ?? []) {
    sum += piece.length;
    if (sum > BYTES_MAX) throw new Error(`the answer has over ${BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** No such model, or no room for one more question: the next page would fare the same. */
const AWAY_STATUS: ReadonlySet<number> = new Set([401, 403, 404, 429, 503]);
const AWAY_CODE = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/;

function troubleOf(error: unknown): Exclude<ModelAnswer, { kind: "answered" }> {
  if (error instanceof RefusedError) {
    return { kind: AWAY_STATUS.has(error.status) ? "away" : "failed", detail: error.message };
  }
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (name === "TimeoutError") return { kind: "failed", detail: "no answer in time" };
  const detail = String(code ?? message ?? error).slice(0, 200);
  return { kind: AWAY_CODE.test(code ?? "") ? "away" : "failed", detail };
}
