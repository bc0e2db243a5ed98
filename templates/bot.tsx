/** @jsxRuntime automatic @jsxImportSource preact */
import { type PublicChrome, PublicPage } from "./public-page.tsx";
import { type Words, wordsOf } from "./words/words.ts";

export interface BotPageProps {
  chrome: PublicChrome;
  userAgent: string;
  /** Product token: our name in robots.txt. */
  robotsToken: string;
  /** Address or mail address of the operator, when one was given. */
  contact: string | null;
}

/** Who crawls, how to keep it out and how to have pages removed: for webmasters. */
export function BotPage({ chrome, userAgent, robotsToken, contact }: BotPageProps) {
  const words = wordsOf(chrome.lang);
  const { bot } = words;
  return (
    <PublicPage chrome={chrome} title={bot.title}>
      <div class="prose">
        <h1>{bot.title}</h1>
        <p>{bot.intro}</p>
        <p>
          {bot.agent} <code>{userAgent}</code>. {bot.token}: <code>{robotsToken}</code>.
        </p>
        <h2>{bot.rulesTitle}</h2>
        <ul>
          {bot.rules.map((rule) => (
            <li>{rule}</li>
          ))}
        </ul>
        <KeepOut words={words} token={robotsToken} />
        <OnePage words={words} token={robotsToken} />
        <h2>{bot.removalTitle}</h2>
        <ol>
          {bot.removal.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        {chrome.acceptsSubmissions && (
          <p>
            {bot.recrawl}: <a href="/submit">{words.submit.title}</a>.
          </p>
        )}
        <h2>{bot.contactTitle}</h2>
        <Contact words={words} contact={contact} />
      </div>
    </PublicPage>
  );
}

function KeepOut({ words, token }: { words: Words; token: string }) {
  const { bot } = words;
  return (
    <>
      <h2>{bot.outTitle}</h2>
      <p>{bot.outText}</p>
      <p>{bot.outHost}</p>
      <pre>{`User-agent: ${token}\nDisallow: /`}</pre>
      <p>{bot.outPart}</p>
      <pre>{`User-agent: ${token}\nDisallow: /private/`}</pre>
      <p>{bot.outSlower}</p>
      <pre>{`User-agent: ${token}\nCrawl-delay: 10`}</pre>
    </>
  );
}

function OnePage({ words, token }: { words: Words; token: string }) {
  const { bot } = words;
  const rules = [
    ["noindex", bot.pageNoindex],
    ["noarchive", bot.pageNoarchive],
    ["nofollow", bot.pageNofollow],
  ] as const;
  return (
    <>
      <h2>{bot.pageTitle}</h2>
      <p>{bot.pageText}</p>
      <pre>{`<meta name="${token}" content="noindex">\nX-Robots-Tag: ${token}: noindex`}</pre>
      <ul>
        {rules.map(([name, means]) => (
          <li>
            <code>{name}</code>: {means}
          </li>
        ))}
      </ul>
    </>
  );
}

function Contact({ words, contact }: { words: Words; contact: string | null }) {
  const { bot } = words;
  if (contact === null) return <p>{bot.contactUnknown}</p>;
  const href = /^[^\s@/:]+@[^\s@/:]+$/.test(contact) ? `mailto:${contact}` : contact;
  return (
    <p>
      {bot.contact} {/^(mailto:|https?:\/\/)/i.test(href) ? <a href={href}>{contact}</a> : contact}
    </p>
  );
}
