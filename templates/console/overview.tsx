/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact";
import type { HostState } from "../../src/http/deps.ts";
import type { Overview } from "../../src/http/overview.ts";
import { count, duration, rate } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { Card, Figures } from "./card.tsx";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { LifeCycle } from "./life-cycle.tsx";
import { crawlSentence, PartsList } from "./parts.tsx";
import { RefusedCard } from "./refused-card.tsx";
import { Sparkline } from "./sparkline.tsx";
import { HOST_STATES } from "./states.tsx";

export function OverviewPage({ chrome, overview }: { chrome: Chrome; overview: Overview }) {
  const cards = CARDS.map((card) => card.view({ overview, isFrame: false }));
  return (
    <ConsolePage chrome={chrome} title="Overview" aside={<Refresh href="/admin" />}>
      <div id="live-state" role="status" />
      <div class="overview">{cards}</div>
      <div
        id="live"
        hidden
        {...{ "hx-sse:connect": "/events?view=overview" }}
        hx-trigger="load, reopen"
        hx-sync="replace"
        hx-swap="none"
        data-poll="/admin/cards"
      />
    </ConsolePage>
  );
}

interface CardView {
  overview: Overview;
  isFrame: boolean;
}

/** Every card on its own: a frame of the stream carries those that changed. */
export const CARDS: readonly { id: string; view(props: CardView): VNode }[] = [
  { id: "card-pace", view: (props) => <PaceCard {...props} /> },
  { id: "card-times", view: (props) => <TimesCard {...props} /> },
  { id: "card-stock", view: (props) => <StockCard {...props} /> },
  { id: "card-life", view: (props) => <LifeCard {...props} /> },
  { id: "card-parts", view: (props) => <PartsCard {...props} /> },
  { id: "card-hosts", view: (props) => <HostsCard {...props} /> },
  {
    id: "card-refused",
    view: ({ overview, isFrame }) => <RefusedCard status={overview.status} isFrame={isFrame} />,
  },
];

function PaceCard({ overview, isFrame }: CardView) {
  const { status, activity, errorsPerS } = overview;
  const pages = activity?.pages ?? [];
  const top = Math.max(0, ...pages);
  return (
    <Card id="card-pace" title="Pace" isFrame={isFrame}>
      <Figures
        items={[
          ["pages/s", rate(status.pages_per_second)],
          ["errors/s", rate(errorsPerS)],
        ]}
      />
      <Sparkline
        values={pages}
        label={`Pages per second over the last 15 minutes, at most ${rate(top)}`}
      />
      <p class="hint spread row">
        <span>15 min ago</span>
        <span>at most {rate(top)}</span>
        <span>now</span>
      </p>
    </Card>
  );
}

function TimesCard({ overview, isFrame }: CardView) {
  const searchable = overview.status.time_to_searchable_ms;
  const fetch = overview.fetchTimes;
  return (
    <Card id="card-times" title="Times" isFrame={isFrame}>
      <h3 class="label">From fetch to searchable</h3>
      <Figures
        items={[
          ["p50", duration(searchable?.p50)],
          ["p95", duration(searchable?.p95)],
          ["p99", duration(searchable?.p99)],
        ]}
      />
      <h3 class="label">Fetch</h3>
      <Figures
        items={[
          ["p50", duration(fetch?.p50)],
          ["p95", duration(fetch?.p95)],
        ]}
      />
    </Card>
  );
}

function StockCard({ overview, isFrame }: CardView) {
  const { status, conservation: law } = overview;
  const isKept = law === null || law.accepted === law.present + law.removed;
  return (
    <Card id="card-stock" title="Stock" isFrame={isFrame}>
      <Figures
        items={[
          ["documents", count(status.documents)],
          ["in the index", count(status.indexed)],
          ["URLs crawled", count(status.crawled)],
          ["to be enriched", count(status.enrich_backlog)],
        ]}
      />
      {law !== null && (
        <p class={isKept ? "hint" : "hint tone-bad"}>
          {isKept ? "Nothing is lost" : "The books do not balance; run trawl doctor"}:{" "}
          {count(law.accepted)} accepted = {count(law.present)} present + {count(law.removed)}{" "}
          removed.
        </p>
      )}
    </Card>
  );
}

function LifeCard({ overview, isFrame }: CardView) {
  return (
    <Card id="card-life" title="URLs" class="card-wide" isFrame={isFrame}>
      <LifeCycle urls={overview.status.urls} />
    </Card>
  );
}

function PartsCard({ overview, isFrame }: CardView) {
  const { status, loopLag } = overview;
  return (
    <Card id="card-parts" title="Health" class="card-half" isFrame={isFrame}>
      <p>{crawlSentence(status.crawl)}</p>
      <PartsList parts={status.parts} />
      <p class="hint">
        Version {status.version}, up for {duration(status.uptime_s * 1_000)}
        {loopLag !== null && `, event loop late by ${duration(loopLag.p99Ms)} at p99`}
      </p>
    </Card>
  );
}

function HostsCard({ overview, isFrame }: CardView) {
  const states = Object.keys(HOST_STATES) as HostState[];
  return (
    <Card id="card-hosts" title="Hosts" isFrame={isFrame}>
      <ul class="host-states">
        {states.map((state) => (
          <li>
            <a href={`/admin/hosts?state=${state}`}>{HOST_STATES[state][0]}</a>
            <span class="number">{count(overview.hosts?.[state])}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
