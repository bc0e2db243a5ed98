import type { Model, ModelAnswer } from "./model.ts";
import { type PageText, summaryQuestion } from "./prompt.ts";
import { cleanSummary } from "./summary.ts";

export type Summarised =
  | { kind: "summary"; summary: string }
  | Exclude<ModelAnswer, { kind: "answered" }>;

/** A page's words must be such as may be given to a model: that is the caller's to know. */
export async function summarise(
  model: Model,
  page: PageText,
  stop: AbortSignal,
): Promise<Summarised> {
  const answer = await model.ask(summaryQuestion(page, crypto.randomUUID()), stop);
  if (answer.kind !== "answered") return answer;
  const summary = cleanSummary(answer.text);
  if (summary === "") return { kind: "failed", detail: "an empty answer" };
  return { kind: "summary", summary };
}
