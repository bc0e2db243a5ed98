/** @jsxRuntime automatic @jsxImportSource preact */
import type { DocumentRow, UrlDetail, UrlListRow } from "../../src/http/deps.ts";
import { count, duration } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { Link } from "../link.tsx";
import { Time } from "../time.tsx";
import { Card } from "./card.tsx";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { Facts } from "./facts.tsx";
import { AskFirst, PostButton } from "./form.tsx";
import type { NoticeText } from "./notice.tsx";
import { RegionCard } from "./region.tsx";
import { UrlStateBadge } from "./states.tsx";
import { Timeline } from "./timeline.tsx";

export interface UrlProps {
  chrome: Chrome;
  detail: UrlDetail;
  notice: NoticeText | null;
  now: Date;
}

export function UrlPage({ chrome, detail, notice, now }: UrlProps) {
  const { url, document } = detail;
  return (
    <ConsolePage
      chrome={chrome}
      title={url.url}
      crumbs={[
        ["/admin/urls", "URLs"],
        [`/admin/hosts/${url.hostId}`, url.host],
      ]}
      notice={notice}
      aside={<Refresh href={`/admin/urls/${url.id}`} />}
    >
      <p>
        <Link href={url.url}>Open the page</Link>
      </p>
      {chrome.viewer?.role === "admin" && (
        <section class="actions" aria-label="Actions">
          <PostButton chrome={chrome} action={`/admin/urls/${url.id}/crawl`} label="Crawl now" />
          {(url.state === "failed" || url.state === "done") && (
            <PostButton chrome={chrome} action={`/admin/urls/${url.id}/retry`} label="Retry" />
          )}
          <AskFirst chrome={chrome} href={`/admin/urls/${url.id}/drop`} label="Drop…" />
        </section>
      )}
      <div class="grid">
        <StateCard detail={detail} now={now} />
        <Card id="url-document" title="Document">
          {document === null ? (
            <p class="muted">This URL has no document: it cannot be found by a search.</p>
          ) : (
            <DocumentFacts document={document} now={now} />
          )}
        </Card>
        <RegionCard document={document} />
      </div>
      <Card id="url-timeline" title="Life">
        <Timeline url={url} visits={detail.visits} now={now} />
      </Card>
    </ConsolePage>
  );
}

function StateCard({ detail, now }: { detail: UrlDetail; now: Date }) {
  const { url, target } = detail;
  return (
    <Card id="url-state" title="State">
      <p class="row">
        <UrlStateBadge state={url.state} />
        {url.reason !== null && <bdi>{url.reason}</bdi>}
      </p>
      <Facts
        items={[
          ["Next visit", <Time at={url.nextCrawlAt} now={now} />],
          [
            "Points at",
            target === null ? null : (
              <a href={`/admin/urls/${target.id}`} class="url">
                <bdi>{target.url}</bdi>
              </a>
            ),
          ],
          ["Priority", count(url.priority)],
          ["Depth", count(url.depth)],
          ["Known from", url.via],
          ["Visits", `${count(url.visits)}, of which ${count(url.changes)} brought a change`],
          ["Visited again after", url.intervalS === null ? null : duration(url.intervalS * 1_000)],
          ...troubles(url),
        ]}
      />
    </Card>
  );
}

const troubles = (url: UrlListRow): (readonly [string, string | null])[] => [
  ["Failures in a row", url.attempts === 0 ? null : count(url.attempts)],
  ["Crashes in a row", url.crashes === 0 ? null : count(url.crashes)],
  ["404s in a row", url.misses === 0 ? null : count(url.misses)],
  ["Redirects to here", url.hops === 0 ? null : count(url.hops)],
];

function DocumentFacts({ document, now }: { document: DocumentRow; now: Date }) {
  return (
    <>
      <p>
        <strong>
          <bdi>{document.title === "" ? "(no title)" : document.title}</bdi>
        </strong>
      </p>
      {document.description !== "" && (
        <p class="muted clamp">
          <bdi>{document.description}</bdi>
        </p>
      )}
      <Facts
        items={[
          ["Language", document.lang ?? "unknown"],
          ["Text", `${count(document.characters)} characters`],
          ["Links", count(document.linkCount)],
          ["Content fetched", <Time at={document.crawledAt} now={now} />],
          ["Searchable since", <Time at={document.indexedAt} now={now} />],
          ["Published", <Time at={document.publishedAt} now={now} />],
          ["Refuses archives", document.noarchive ? "yes" : null],
          ["Refuses machine use", document.noai ? "yes" : null],
        ]}
      />
    </>
  );
}
