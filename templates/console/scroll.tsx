/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** A part that scrolls on its own when it is wider than the screen; reachable by keyboard. */
export function Scroll(props: { label: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      class={`scroll ${props.class ?? ""}`.trim()}
      role="group"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {props.children}
    </div>
  );
}
