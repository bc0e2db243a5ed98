/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { type Chrome, Layout } from "../layout.tsx";
import { Notice, type NoticeText } from "./notice.tsx";

export interface ConsolePageProps {
  chrome: Chrome;
  title: string;
  /** Small links above the title, from the top down. */
  crumbs?: readonly (readonly [href: string, label: string])[];
  /** What an action just did. */
  notice?: NoticeText | null;
  /** Beside the title: actions of the page. */
  aside?: ComponentChildren;
  /** Stylesheets before that of the console. */
  styles?: readonly string[];
  children: ComponentChildren;
}

/** Frame of every page of the console. */
export function ConsolePage({ chrome, title, crumbs = [], notice, ...rest }: ConsolePageProps) {
  return (
    <Layout
      chrome={chrome}
      title={title}
      area="console"
      styles={[...(rest.styles ?? []), "console.css"]}
    >
      <div class="page-head">
        <div>
          {crumbs.length > 0 && (
            <nav class="crumbs" aria-label="Breadcrumb">
              {crumbs.map(([href, label], index) => (
                <>
                  {index > 0 && <span aria-hidden="true"> / </span>}
                  <a href={href}>
                    <bdi>{label}</bdi>
                  </a>
                </>
              ))}
            </nav>
          )}
          <h1 class="url">
            <bdi>{title}</bdi>
          </h1>
        </div>
        {rest.aside}
      </div>
      {notice && <Notice {...notice} />}
      {rest.children}
    </Layout>
  );
}

/** For people without JavaScript, and for those who would rather ask themselves. */
export function Refresh({ href }: { href: string }) {
  return (
    <a class="button button-quiet" href={href}>
      Refresh
    </a>
  );
}
