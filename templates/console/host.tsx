/** @jsxRuntime automatic @jsxImportSource preact */

import type { Delay } from "../../src/frontier/politeness.ts";
import type { HostDetail, HostRow } from "../../src/http/deps.ts";
import type { GapBin } from "../../src/http/gaps.ts";
import { bytes, count, duration, hundredths } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { NotBefore, Time } from "../time.tsx";
import { Card } from "./card.tsx";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { Facts } from "./facts.tsx";
import { AskFirst, PostButton, TextField } from "./form.tsx";
import { GapHistogram } from "./gaps.tsx";
import { DELAY_SOURCES } from "./hosts.tsx";
import type { NoticeText } from "./notice.tsx";
import { RobotsCard } from "./robots.tsx";
import { SitemapsTable } from "./sitemaps.tsx";
import { HostStateBadge, URL_STATES } from "./states.tsx";
import { TrapsCard } from "./traps.tsx";
import { VisitsTable } from "./visits.tsx";

export interface HostProps {
  chrome: Chrome;
  detail: HostDetail;
  delay: Delay;
  gaps: readonly GapBin[];
  /** Of a host without a quota of its own. */
  urlsMax: number;
  notice: NoticeText | null;
  now: Date;
}

export function HostPage({ chrome, detail, delay, gaps, urlsMax, notice, now }: HostProps) {
  const { host, visits } = detail;
  return (
    <ConsolePage
      chrome={chrome}
      title={host.name}
      crumbs={[["/admin/hosts", "Hosts"]]}
      notice={notice}
      aside={<Refresh href={`/admin/hosts/${host.id}`} />}
    >
      <HostActions chrome={chrome} host={host} />
      <div class="grid">
        <StateCard detail={detail} delay={delay} now={now} />
        <UrlsCard detail={detail} urlsMax={urlsMax} />
        <Card id="host-gaps" title="Gaps kept">
          <GapHistogram bins={gaps} />
          <p class="hint">
            From the end of an answer to the next request
            {delay.ms === 0
              ? "; no delay is set."
              : `, in multiples of the delay of ${duration(delay.ms)}.`}
          </p>
        </Card>
      </div>
      <RobotsCard detail={detail} now={now} />
      <TrapsCard chrome={chrome} detail={detail} now={now} />
      <Card id="host-sitemaps" title="Sitemaps and feeds">
        <SitemapsTable sitemaps={detail.sitemaps} now={now} />
      </Card>
      <Card id="host-visits" title="Recent visits">
        <VisitsTable visits={visits.slice(0, VISITS_SHOWN)} now={now} hasUrls />
      </Card>
    </ConsolePage>
  );
}

const VISITS_SHOWN = 25;

function HostActions({ chrome, host }: { chrome: Chrome; host: HostRow }) {
  if (chrome.viewer?.role !== "admin") return null;
  const at = (action: string) => `/admin/hosts/${host.id}/${action}`;
  return (
    <section class="actions" aria-label="Actions">
      {host.state === "paused" ? (
        <PostButton chrome={chrome} action={at("resume")} label="Resume" />
      ) : (
        <PostButton chrome={chrome} action={at("pause")} label="Pause" />
      )}
      <PostButton chrome={chrome} action={at("crawl")} label="Crawl now" />
      <PostButton chrome={chrome} action={at("delay")} label="Set delay">
        <TextField
          name="delay_ms"
          label="Own delay, ms"
          type="number"
          value={host.delayMs === null ? null : String(host.delayMs)}
          attributes={{ min: 0, max: 86_400_000, step: 1, placeholder: "setting" }}
        />
      </PostButton>
      <PostButton chrome={chrome} action={at("quota")} label="Set quotas">
        <QuotaField name="urls_max" label="URLs at most" value={host.urlsMax} none="setting" />
        <QuotaField name="bytes_max" label="Bytes at most" value={host.bytesMax} none="no limit" />
      </PostButton>
      {host.state === "blocked" ? (
        <PostButton chrome={chrome} action={at("unblock")} label="Unblock" />
      ) : (
        <AskFirst chrome={chrome} href={at("block")} label="Block…" />
      )}
      <AskFirst chrome={chrome} href={at("forget")} label="Forget…" />
    </section>
  );
}

interface QuotaFieldProps {
  name: string;
  label: string;
  value: number | null;
  none: string;
}

function QuotaField({ name, label, value, none }: QuotaFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      type="number"
      value={value === null ? null : String(value)}
      attributes={{ min: 1, step: 1, placeholder: none }}
    />
  );
}

/** What keeps new URLs of it out; null: there is room. */
function fullOf({ urlCount, byteCount, bytesMax }: HostRow, urlsMax: number): string | null {
  if (bytesMax !== null && byteCount >= bytesMax) return "Full: its bytes are used up";
  return urlCount >= urlsMax ? "Full: no more URLs are taken" : null;
}

function StateCard({ detail, delay, now }: { detail: HostDetail; delay: Delay; now: Date }) {
  const { host } = detail;
  return (
    <Card id="host-state" title="State">
      <p class="row">
        <HostStateBadge state={host.state} />
        <span class="muted">
          since <Time at={host.stateAt} now={now} />
        </span>
      </p>
      <Facts
        items={[
          ["Why", host.reason === null ? null : <bdi>{host.reason}</bdi>],
          ["Next turn", <Time at={host.nextTurnAt} now={now} />],
          ["Next fetch allowed", <NotBefore at={host.nextFetchAt} now={now} />],
          [
            "Turn running",
            host.turnToken === null ? "no" : <Time at={host.turnStartedAt} now={now} />,
          ],
          ["Delay", `${duration(delay.ms)}, from: ${DELAY_SOURCES[delay.source]}`],
          ["Own delay", host.delayMs === null ? null : duration(host.delayMs)],
          ["Crawl-delay", host.robotsDelayMs === null ? null : duration(host.robotsDelayMs)],
          ["Slowed to", host.slowDelayMs === null ? null : duration(host.slowDelayMs)],
          ["Failed turns in a row", count(host.failures)],
          ["429s", count(host.throttles)],
          ["Lane", host.lane === 0 ? "first" : "usual"],
        ]}
      />
    </Card>
  );
}

function UrlsCard({ detail, urlsMax }: { detail: HostDetail; urlsMax: number }) {
  const { host, urlsByState, documents, regionScore } = detail;
  const link = (state: string) =>
    `/admin/urls?${new URLSearchParams({ host: host.name, state }).toString()}`;
  return (
    <Card id="host-urls" title="URLs">
      <ul class="host-states">
        {Object.entries(URL_STATES).map(([state, [label]]) => (
          <li>
            <a href={link(state)}>{label}</a>
            <span class="number">{count(urlsByState[state as keyof typeof URL_STATES])}</span>
          </li>
        ))}
      </ul>
      <Facts
        items={[
          ["Documents", count(documents)],
          [
            "Region score",
            regionScore === null
              ? null
              : `${regionScore.toFixed(2)}, of ${count(host.regionCount)} documents`,
          ],
          ["Pages fetched", count(host.pageCount)],
          ["Bytes", bytes(host.byteCount)],
          ["URLs at most", count(host.urlsMax ?? urlsMax)],
          ["Bytes at most", host.bytesMax === null ? "no limit" : bytes(host.bytesMax)],
          ["Room", fullOf(host, host.urlsMax ?? urlsMax) ?? "yes"],
          ["Authority", hundredths(host.authority)],
          ["Linked by other sites", count(host.linkingHosts)],
          ["Domain", <bdi>{host.domain}</bdi>],
          ["Named by a person", host.seededAt === null ? "no" : "yes"],
        ]}
      />
    </Card>
  );
}
