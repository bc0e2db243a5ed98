/** @jsxRuntime automatic @jsxImportSource preact */
import type { Trial } from "../../src/http/admin/weights.ts";
import type { HostFactorRow, QueryLists, SignalState } from "../../src/http/ranking-deps.ts";
import type { Chrome } from "../layout.tsx";
import { Card } from "./card.tsx";
import { ConsolePage } from "./console-page.tsx";
import type { NoticeText } from "./notice.tsx";
import { HostFactors } from "./search-hosts.tsx";
import { type PreviewAnswer, SearchPreview } from "./search-preview.tsx";
import { Queries } from "./search-queries.tsx";
import { WeightsForm } from "./search-weights.tsx";

export interface SearchConsoleProps {
  chrome: Chrome;
  signals: readonly SignalState[];
  hosts: readonly HostFactorRow[];
  trial: Trial;
  preview: PreviewAnswer;
  queries: QueryLists | null;
  synonyms: readonly string[];
  notice: NoticeText | null;
}

/** What results are ranked by, tried out before it is saved; and what people ask for. */
export function SearchConsolePage(props: SearchConsoleProps) {
  const { chrome, signals, trial, preview } = props;
  return (
    <ConsolePage chrome={chrome} title="Search" notice={props.notice} styles={["search.css"]}>
      <div class="ranking">
        <Card id="weights" title="What a result is ranked by">
          <WeightsForm chrome={chrome} signals={signals} trial={trial} />
        </Card>
        <SearchPreview chrome={chrome} signals={signals} trial={trial} preview={preview} />
      </div>
      <Card id="host-factors" title="Raised and lowered hosts">
        <HostFactors chrome={chrome} hosts={props.hosts} />
      </Card>
      <Card id="queries" title="What is asked for">
        <Queries queries={props.queries} />
      </Card>
      {props.synonyms.length > 0 && (
        <Card id="synonyms" title="Synonyms">
          <p>
            In effect for: {props.synonyms.join(", ")}. They are files of{" "}
            <code>seeds/synonyms</code>.
          </p>
        </Card>
      )}
    </ConsolePage>
  );
}
