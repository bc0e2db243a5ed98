/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Chrome } from "../layout.tsx";

/** A button that posts; shown only to who may use it. Works without JavaScript. */
export function PostButton(props: {
  chrome: Chrome;
  action: string;
  label: string;
  tone?: "quiet" | "danger";
  /** More fields of the form. */
  children?: ComponentChildren;
}) {
  const { chrome, action, label, tone = "quiet" } = props;
  if (chrome.viewer?.role !== "admin") return null;
  return (
    <form method="post" action={action} class="post-form">
      <input type="hidden" name="csrf" value={chrome.viewer.csrf} />
      {props.children}
      <button class={`button button-${tone}`} type="submit">
        {label}
      </button>
    </form>
  );
}

/** A dangerous action begins with a page that asks; the link leads there. */
export function AskFirst({ chrome, href, label }: { chrome: Chrome; href: string; label: string }) {
  if (chrome.viewer?.role !== "admin") return null;
  return (
    <a class="button button-danger" href={href}>
      {label}
    </a>
  );
}

/** A filter above a list; with `target` a change swaps that part of the page alone. */
export function FilterForm(props: {
  label: string;
  action: string;
  target?: string;
  trigger?: string;
  children: ComponentChildren;
}) {
  const { label, action, target, trigger, children } = props;
  const swaps = {
    "hx-get": action,
    "hx-target": target,
    "hx-swap": "outerHTML",
    "hx-push-url": "true",
    "hx-trigger": trigger,
  };
  return (
    <search aria-label={label}>
      <form class="filters" method="get" action={action} {...(target === undefined ? {} : swaps)}>
        {children}
        <button class="button button-quiet" type="submit">
          Filter
        </button>
      </form>
    </search>
  );
}

export function Select(props: {
  name: string;
  label: string;
  value: string | null;
  options: readonly (readonly [value: string, label: string])[];
  any?: string;
}) {
  const id = `field-${props.name}`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        {props.any !== undefined && <option value="">{props.any}</option>}
        {props.options.map(([value, label]) => (
          <option value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

export function TextField(props: {
  name: string;
  label: string;
  value: string | null;
  type?: "text" | "search" | "password" | "number";
  hint?: string;
  attributes?: Readonly<Record<string, string | number | boolean>>;
}) {
  const id = `field-${props.name}`;
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        name={props.name}
        value={props.value ?? ""}
        {...(props.hint === undefined ? null : { "aria-describedby": hintId })}
        {...({ type: props.type ?? "text", ...props.attributes } as object)}
      />
      {props.hint !== undefined && (
        <p id={hintId} class="hint">
          {props.hint}
        </p>
      )}
    </div>
  );
}
