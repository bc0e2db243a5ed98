/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/**
 * The only way a foreign URL becomes a link: http and https alone, anything else stays text.
 * The text is isolated, so that its writing direction cannot reorder the page around it.
 */
export function Link({ href, children }: { href: string; children?: ComponentChildren }) {
  const text = <bdi>{children ?? href}</bdi>;
  if (!isWebUrl(href)) return <span class="url">{text}</span>;
  return (
    <a class="url" href={href} rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  );
}

/** True for an absolute URL of scheme http or https that the URL parser accepts. */
export function isWebUrl(href: string): boolean {
  if (!/^https?:\/\//i.test(href)) return false;
  return URL.canParse(href);
}
