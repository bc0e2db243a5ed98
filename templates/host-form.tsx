/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** What the buttons of a page of results send: one form for all of them, which needs no script. */
export function HostForm({ back }: { back: string }) {
  return (
    <form id="host-choice" action="/hosts" method="post" hidden>
      <input type="hidden" name="back" value={back} />
    </form>
  );
}

/** Raises or hides a host, or takes that back. */
export function HostButton(props: {
  host: string;
  choice: "block" | "raise" | "none";
  children: ComponentChildren;
}) {
  return (
    <button
      class="button button-quiet"
      type="submit"
      form="host-choice"
      name="choice"
      value={`${props.choice} ${props.host}`}
    >
      {props.children}
    </button>
  );
}
