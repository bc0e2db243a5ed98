/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { Message, type PublicChrome, PublicPage } from "./public-page.tsx";
import { labelOf, type Words, wordsOf } from "./words/words.ts";

export interface SubmitPageProps {
  chrome: PublicChrome;
  /** What stands in the field. */
  url: string;
  state:
    | { kind: "form" }
    | { kind: "off" }
    | { kind: "missing" }
    | { kind: "unavailable" }
    | { kind: "answer"; result: SubmitResult; reason: string | null };
}

export type SubmitResult = "queued" | "known" | "review" | "refused";

/** A form for one address, and what became of it. */
export function SubmitPage({ chrome, url, state }: SubmitPageProps) {
  const words = wordsOf(chrome.lang);
  const { submit } = words;
  if (state.kind === "off") {
    return (
      <PublicPage chrome={chrome} title={submit.off}>
        <Message title={submit.off} text={submit.offText} links={[["/", words.error.back]]} />
      </PublicPage>
    );
  }
  const isTaken = state.kind === "answer" && state.result !== "refused";
  return (
    <PublicPage chrome={chrome} title={submit.title}>
      <div class="submit">
        <h1>{submit.title}</h1>
        <Outcome state={state} url={url} words={words} />
        {isTaken ? (
          <p>
            <a class="button button-quiet" href="/submit">
              {submit.another}
            </a>
          </p>
        ) : (
          <Form url={url} words={words} isFaulty={state.kind !== "form"} />
        )}
      </div>
    </PublicPage>
  );
}

function Form({ url, words, isFaulty }: { url: string; words: Words; isFaulty: boolean }) {
  const { submit } = words;
  return (
    <form class="submit-form" method="post" action="/submit">
      <p>{submit.intro}</p>
      <div class="field">
        <label for="url">{submit.label}</label>
        <input
          id="url"
          name="url"
          type="text"
          inputMode="url"
          value={url}
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={isFaulty ? "outcome hint" : "hint"}
          aria-invalid={isFaulty}
        />
        <p id="hint" class="hint">
          {submit.hint}
        </p>
      </div>
      <button class="button" type="submit">
        {submit.button}
      </button>
    </form>
  );
}

function Outcome(props: { state: SubmitPageProps["state"]; url: string; words: Words }) {
  const { state, url } = props;
  const { submit } = props.words;
  switch (state.kind) {
    case "form":
    case "off":
      return null;
    case "missing":
      return <Notice kind="bad" text={submit.missing} />;
    case "unavailable":
      return <Notice kind="warn" text={submit.unavailable} />;
    case "answer":
      return (
        <Notice kind={state.result === "refused" ? "bad" : "good"} text={submit[state.result]}>
          {state.reason !== null && <p>{labelOf(submit.reasons, state.reason)}</p>}
          <p class="url">
            <bdi>{url}</bdi>
          </p>
        </Notice>
      );
  }
}

function Notice(props: {
  kind: "good" | "warn" | "bad";
  text: string;
  children?: ComponentChildren;
}) {
  return (
    <div id="outcome" class={`notice notice-${props.kind}`} role="alert">
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}
