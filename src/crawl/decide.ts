import { recordAudit } from "../db/audit.ts";
import { readSubmission, decideSubmission as writeDecision } from "../db/submissions.ts";
import type { ActionResult, OperateDeps } from "./move-url.ts";
import type { PolicyCache } from "./policy.ts";
import { enterAccepted } from "./submit.ts";

/** An accepted submission is admitted and puts its site in scope; a refused one stays out. */
export async function decideSubmission(
  { operate, policy }: { operate: OperateDeps; policy: PolicyCache },
  id: number,
  decision: "accepted" | "refused",
  actor: string,
): Promise<ActionResult> {
  const { db } = operate;
  const submission = await readSubmission(db, id);
  if (!submission) return { kind: "missing" };
  if (submission.state !== "review") {
    return { kind: "refused", reason: `it was ${submission.state} already` };
  }
  if (decision === "accepted") {
    const entered = await enterAccepted({ ...operate, policy }, submission.url);
    if (entered.result === "refused") {
      return { kind: "refused", reason: entered.reason ?? "it cannot be admitted" };
    }
  }
  await writeDecision(db, id, {
    state: decision,
    by: actor,
    at: new Date(operate.clock.now()),
  });
  const subject = submission.url;
  await recordAudit(db, { actor, action: `submission.${decision}`, subject });
  return { kind: "done" };
}
