/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** Names and values side by side; a null value is left out. */
export function Facts({
  items,
}: {
  items: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {items.map(
        ([name, value]) =>
          value !== null && (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
