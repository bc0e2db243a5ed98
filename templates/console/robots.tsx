/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostDetail } from "../../src/http/deps.ts";
import { Time } from "../time.tsx";
import { Card } from "./card.tsx";
import { Facts } from "./facts.tsx";
import { Scroll } from "./scroll.tsx";

const VERDICTS: Readonly<
  Record<HostDetail["verdict"], readonly [tone: string, label: string, meaning: string]>
> = {
  allowed: ["good", "allowed", "The rules let us read its front page."],
  disallowed: ["bad", "disallowed", "The rules keep us away from its front page."],
  waiting: ["warn", "waiting", "No page is fetched until robots.txt answers."],
  unknown: ["plain", "not asked yet", "robots.txt is read before the first page."],
};

/** A text this long is shown whole; more of it would only slow the page down. */
const TEXT_MAX = 20_000;

export function RobotsCard({ detail, now }: { detail: HostDetail; now: Date }) {
  const [tone, label, meaning] = VERDICTS[detail.verdict];
  return (
    <Card id="host-robots" title="robots.txt">
      <p class="row">
        <span class={`badge badge-${tone}`}>{label}</span>
        <span class="muted">{meaning}</span>
      </p>
      {detail.robots.map((record) => (
        <div class="stack">
          <h3 class="url">
            <bdi>{record.authority}/robots.txt</bdi>
          </h3>
          <Facts
            items={[
              ["Status", record.status === null ? "no answer yet" : String(record.status)],
              ["Read", <Time at={record.fetchedAt} now={now} />],
              ["Asked again", <Time at={record.expiresAt} now={now} />],
              [
                "Last failure",
                record.failure === null ? null : (
                  <bdi>{`${record.failure} (${record.failures} in a row)`}</bdi>
                ),
              ],
            ]}
          />
          {record.body !== null && record.body !== "" && (
            <details>
              <summary>Show the text</summary>
              <Scroll label="Text of robots.txt" class="foreign-text">
                <pre>
                  {record.body.slice(0, TEXT_MAX)}
                  {record.body.length > TEXT_MAX && "\n[…]"}
                </pre>
              </Scroll>
            </details>
          )}
        </div>
      ))}
    </Card>
  );
}
