import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the double answers a question. */
export type OllamaMode =
  | "normal"
  /** After `slowMs`. */
  | "slow"
  /** Never. */
  | "silent"
  /** JSON that ends in the middle. */
  | "broken"
  /** JSON of another form. */
  | "odd"
  /** Status 500. */
  | "failing"
  /** The connection ends in the middle of the answer. */
  | "dropping"
  /** A body without end. */
  | "endless";

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  stream: boolean;
  options?: { num_predict?: number };
}

export interface OllamaDouble {
  readonly url: string;
  readonly model: string;
  mode: OllamaMode;
  slowMs: number;
  /** What it says of a page; by itself how long the question was. */
  answer: (request: ChatRequest) => string;
  /** Every question that came, whatever became of it. */
  readonly asked: ChatRequest[];
  /** Questions in flight at once, at most. */
  readonly inFlightMax: number;
  stop(): Promise<void>;
}

/** A server of Ollama's documented API, as far as it is used: /api/version, tags and chat. */
export async function startOllama(model = "tiny:latest", port = 0): Promise<OllamaDouble> {
  const asked: ChatRequest[] = [];
  let inFlight = 0;
  let inFlightMax = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname } = new URL(request.url ?? "/", "http://ollama");
    if (pathname !== "/api/chat") return tell(response, pathname, model);
    const chat = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
    asked.push(chat);
    inFlightMax = Math.max(inFlightMax, ++inFlight);
    response.on("close", () => inFlight--);
    answerTo(double, chat, response);
  });
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const double: OllamaDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model,
    mode: "normal",
    slowMs: 1_000,
    answer: ({ messages }) => `A page of ${messages.at(-1)?.content.length ?? 0} characters.`,
    asked,
    get inFlightMax() {
      return inFlightMax;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return double;
}

const listed = (name: string) => ({
  name,
  model: name,
  modified_at: "2026-01-01T00:00:00Z",
  size: 1_000,
  digest: "0".repeat(64),
  details: { format: "gguf", family: "llama", parameter_size: "1B", quantization_level: "Q4_0" },
});

function tell(response: ServerResponse, pathname: string, model: string): void {
  if (pathname === "/api/version") send(response, 200, { version: "0.13.0" });
  else if (pathname === "/api/tags") send(response, 200, { models: [listed(model)] });
  else send(response, 404, { error: "not found" });
}

function send(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function answerTo(double: OllamaDouble, chat: ChatRequest, response: ServerResponse): void {
  if (chat.model !== double.model && `${chat.model}:latest` !== double.model) {
    send(response, 404, { error: `model '${chat.model}' not found` });
    return;
  }
  const content = double.answer(chat);
  const message = { role: "assistant", content };
  const whole = JSON.stringify({ model: chat.model, message, done: true, done_reason: "stop" });
  WAYS[double.mode](response, whole, double.slowMs);
}

type Way = (response: ServerResponse, whole: string, slowMs: number) => void;

const WAYS: Readonly<Record<OllamaMode, Way>> = {
  normal: (response, whole) => send(response, 200, whole),
  slow: (response, whole, slowMs) => {
    const timer = setTimeout(() => send(response, 200, whole), slowMs);
    response.on("close", () => clearTimeout(timer));
  },
  silent: () => {},
  broken: (response, whole) => send(response, 200, whole.slice(0, whole.length / 2)),
  odd: (response) => send(response, 200, { message: [null, { content: 7 }] }),
  failing: (response) => send(response, 500, { error: "llama runner process has terminated" }),
  dropping: (response, whole) => {
    response.writeHead(200, { "content-length": whole.length });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy());
  },
  endless: (response) => {
    const piece = Buffer.alloc(64 * 1024, " ");
    const timer = setInterval(() => response.write(piece), 5);
    response.on("close", () => clearInterval(timer));
  },
};
