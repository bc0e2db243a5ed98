/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

export interface CardProps {
  id: string;
  title: string;
  class?: string;
  /** In a frame of the live stream: replaces the card of the same id on the page. */
  isFrame?: boolean;
  children: ComponentChildren;
}

export function Card({ id, title, class: extra = "", isFrame = false, children }: CardProps) {
  return (
    <section
      id={id}
      class={`card ${extra}`.trim()}
      aria-labelledby={`${id}-title`}
      {...(isFrame ? { "hx-swap-oob": "outerMorph" } : {})}
    >
      <h2 id={`${id}-title`} class="card-title">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Large numbers with what they are; every value keeps its width while it changes. */
export function Figures({
  items,
}: {
  items: readonly (readonly [label: string, value: string])[];
}) {
  return (
    <dl class="figures">
      {items.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
