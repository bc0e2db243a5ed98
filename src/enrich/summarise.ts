import type { Model, Told } from "./model.ts";
import { type PageText, summaryQuestion } from "./prompt.ts";
import { cleanSummary } from "./summary.ts";

export type Summarised = { kind: "summary"; summary: string } | Exclude<Told, { kind: "answered" }>;

/** A page's words must be such as may be given to a model: that is the caller's to know. */
export async function summarise(
  model: Model,
  page: PageText,
  stop: AbortSignal,
): Promise<Summarised> {
  const told = await model.ask(summaryQuestion(page, crypto.randomUUID()), stop);
  if (told.kind !== "answered") return told;
  const summary = cleanSummary(told.text);
  if (summary === "") return { kind: "failed", detail: "an empty answer" };
  return { kind: "summary", summary };
}
