/** @jsxRuntime automatic @jsxImportSource preact */
import type { Chrome } from "../layout.tsx";
import { ConsolePage } from "./console-page.tsx";
import { PostButton } from "./form.tsx";

export interface ConfirmProps {
  chrome: Chrome;
  /** The question, as the title. */
  title: string;
  subject: string;
  /** What will happen, one sentence each. */
  consequences: readonly string[];
  action: string;
  label: string;
  back: string;
}

/** Asks before something is done that cannot simply be undone. */
export function ConfirmPage(props: ConfirmProps) {
  return (
    <ConsolePage chrome={props.chrome} title={props.title}>
      <section class="card confirm">
        <p class="url">
          <strong>
            <bdi>{props.subject}</bdi>
          </strong>
        </p>
        <ul>
          {props.consequences.map((each) => (
            <li>{each}</li>
          ))}
        </ul>
        <div class="actions">
          <PostButton
            chrome={props.chrome}
            action={props.action}
            label={props.label}
            tone="danger"
          />
          <a class="button button-quiet" href={props.back}>
            Cancel
          </a>
        </div>
      </section>
    </ConsolePage>
  );
}
