/** @jsxRuntime automatic @jsxImportSource preact */
import { expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import type { Hit } from "../../src/search/search.ts";
import type { Breakdown } from "../../src/search/signals.ts";
import { Explain } from "../../templates/explain.tsx";
import { labelOf, wordsOf } from "../../templates/words/words.ts";
import { parsed, texts } from "../support/html.ts";

test.each(["en", "fr", "pt", "ru"] as const)(
  "%s: a word met as another one of its meaning is explained in words",
  (language) => {
    const words = wordsOf(language);
    const hit = { host: "h.example", score: 4 } as Hit;
    const explain = { text: 4, synonym: 0.5 } as Breakdown;
    const shown = { words, isOpen: false, isRaised: false, because: {} };
    const html = renderToString(<Explain hit={hit} explain={explain} textMax={8} {...shown} />);
    const [, row] = texts(parsed(html), "tbody tr");
    expect(row).toStartWith(labelOf(words.explain.names, "synonym", "?"));
    expect(row).toContain(labelOf(words.explain.notes, "synonym", "?"));
    expect(row).toEndWith("× 0.50");
  },
);
