/** @jsxRuntime automatic @jsxImportSource preact */
import { isWebUrl } from "./link.tsx";
import { readableUrl } from "./readable-url.ts";

/** What the field may offer: a query to ask, or a page to open. */
export type Suggestion =
  | { kind: "query"; text: string }
  | { kind: "page"; text: string; url: string };

/** Options of the listbox under the search field; the script puts them there. */
export function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <>
      {suggestions.map((suggestion, index) => (
        <div
          id={`suggestion-${index}`}
          class="suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={false}
          data-words={suggestion.text}
          {...(suggestion.kind === "page" && isWebUrl(suggestion.url)
            ? { "data-href": suggestion.url }
            : {})}
        >
          <bdi>{suggestion.text}</bdi>
          {suggestion.kind === "page" && (
            <bdi class="suggestion-host">{readableUrl(suggestion.url).host}</bdi>
          )}
        </div>
      ))}
    </>
  );
}
