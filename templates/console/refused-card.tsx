/** @jsxRuntime automatic @jsxImportSource preact */
import type { Status } from "../../src/http/status-json.ts";
import { count } from "../format.ts";
import { Card } from "./card.tsx";

interface RefusedCardProps {
  status: Pick<Status, "refused" | "full">;
  isFrame: boolean;
}

/** Candidates that are not crawled, by reason, and which quotas are reached right now. */
export function RefusedCard({ status: { refused, full }, isFrame }: RefusedCardProps) {
  const reasons = Object.entries(refused ?? {}).sort(([, a], [, b]) => b - a);
  return (
    <Card id="card-refused" title="Not taken" isFrame={isFrame}>
      {full?.frontier && (
        <p class="tone-bad">
          FRONTIER_MAX_URLS is reached: no new URL is taken. What is known is crawled on.
        </p>
      )}
      {full !== null && full.hosts > 0 && (
        <p class="hint">Hosts that have reached their quota: {count(full.hosts)}.</p>
      )}
      {reasons.length === 0 ? (
        <p class="hint">No link was refused yet.</p>
      ) : (
        <ul class="host-states">
          {reasons.map(([reason, value]) => (
            <li>
              <bdi>{reason}</bdi>
              <span class="number">{count(value)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
