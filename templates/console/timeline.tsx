/** @jsxRuntime automatic @jsxImportSource preact */
import type { UrlListRow, VisitRow } from "../../src/http/deps.ts";
import { bytes, duration } from "../format.ts";
import { Stamp } from "../time.tsx";

/** The steps of one visit, in the order in which they happen. */
const STEPS: readonly (readonly [key: keyof VisitRow & `${string}At`, label: string])[] = [
  ["claimedAt", "claimed"],
  ["fetchStartedAt", "asked for"],
  ["fetchedAt", "answered"],
  ["parsedAt", "parsed"],
  ["indexedAt", "searchable"],
  ["settledAt", "settled"],
];

/** The life of one URL, newest first: what comes, each visit with its steps, its admission. */
export function Timeline(props: { url: UrlListRow; visits: readonly VisitRow[]; now: Date }) {
  const { url, visits, now } = props;
  return (
    <ol class="timeline">
      {url.nextCrawlAt !== null && (
        <li>
          <p class="timeline-head">
            <strong>{url.nextCrawlAt > now ? "Next visit" : "Due"}</strong>{" "}
            <Stamp at={url.nextCrawlAt} />
          </p>
        </li>
      )}
      {url.state === "in_progress" && url.claimedAt !== null && (
        <li>
          <p class="timeline-head">
            <strong>Being visited</strong> claimed <Stamp at={url.claimedAt} />
          </p>
        </li>
      )}
      {visits.map((visit) => (
        <VisitItem visit={visit} />
      ))}
      {url.visits > visits.length && visits.length > 0 && (
        <li>
          <p class="muted">Earlier visits are no longer kept or not shown.</p>
        </li>
      )}
      <li>
        <p class="timeline-head">
          <strong>Admitted</strong> <Stamp at={url.admittedAt} />
        </p>
        <p class="muted">
          from {url.via}, depth {url.depth}
        </p>
      </li>
    </ol>
  );
}

function VisitItem({ visit }: { visit: VisitRow }) {
  const steps = STEPS.flatMap(([key, label]) => {
    const at = visit[key];
    return at instanceof Date ? [{ label, at }] : [];
  });
  const facts = [
    visit.status === null ? null : `status ${visit.status}`,
    visit.bytes === null ? null : bytes(visit.bytes),
    visit.address,
  ].filter((each) => each !== null);
  return (
    <li>
      <p class="timeline-head">
        <strong>
          <bdi>{visit.outcome}</bdi>
        </strong>{" "}
        <Stamp at={visit.settledAt} />
      </p>
      {(visit.reason !== null || facts.length > 0) && (
        <p class="muted">
          {visit.reason !== null && <bdi>{visit.reason}</bdi>}
          {visit.reason !== null && facts.length > 0 && " · "}
          {facts.join(" · ")}
        </p>
      )}
      <ol class="steps">
        {steps.map(({ label, at }, index) => (
          <li>
            <span>{label}</span>
            <time dateTime={at.toISOString()}>{at.toISOString().slice(11, 23)}</time>
            <span class="muted">
              {index === 0 ? "" : `+${duration(at.getTime() - steps[index - 1]!.at.getTime())}`}
            </span>
          </li>
        ))}
      </ol>
    </li>
  );
}
