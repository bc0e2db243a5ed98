/** @jsxRuntime automatic @jsxImportSource preact */
import { LANGUAGES, type Language, wordsOf } from "./words/words.ts";

/** One button a language; `back` is the page to return to, as path and query. */
export function LanguageForm({ language, back }: { language: Language; back: string }) {
  return (
    <form class="language-form" method="post" action="/language">
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend class="visually-hidden">{wordsOf(language).languageTitle}</legend>
        {LANGUAGES.map((each) => (
          <button
            type="submit"
            name="lang"
            value={each}
            lang={each}
            aria-pressed={each === language}
          >
            {wordsOf(each).name}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
