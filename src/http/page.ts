import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { HTMX_VARY } from "./htmx.ts";

export interface PageOptions {
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A page in its frame; the layout leaves the frame out where htmx asks for a part of a page. */
export function page(view: VNode, options: PageOptions = {}): Response {
  const text = renderToString(view);
  return html(text.startsWith("<html") ? `<!doctype html>${text}` : text, options);
}

/** A part of a page, for htmx. */
export function fragment(view: VNode, options: PageOptions = {}): Response {
  return html(renderToString(view), options);
}

/** Markup of a component, for frames of the live stream. */
export const markup = (view: VNode): string => renderToString(view);

/** Leads the browser on after a form was handled (POST, redirect, GET). */
export function seeOther(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: path, "cache-control": "no-store", ...headers },
  });
}

function html(text: string, { status = 200, headers = {} }: PageOptions): Response {
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-cache",
      vary: `${HTMX_VARY}, Cookie, Accept-Language`,
      ...headers,
    },
  });
}
