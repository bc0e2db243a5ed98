/** @jsxRuntime automatic @jsxImportSource preact */
import { type PublicChrome, PublicPage } from "../public-page.tsx";
import { wordsOf } from "../words/words.ts";
import { TextField } from "./form.tsx";
import { Notice } from "./notice.tsx";

export interface LoginProps {
  chrome: PublicChrome;
  formToken: string;
  next: string;
  /** Name as typed before. */
  name: string;
  problem: string | null;
  /** Plain HTTP elsewhere than on localhost. */
  isInsecure: boolean;
}

export function LoginPage(props: LoginProps) {
  const words = wordsOf(props.chrome.lang).signIn;
  return (
    <PublicPage
      chrome={props.chrome}
      title={words.title}
      styles={["console.css"]}
      head={<meta name="robots" content="noindex" />}
      mainClass="page page-narrow"
    >
      <h1>{words.heading}</h1>
      {props.isInsecure && <Notice tone="warn" text={words.insecure} />}
      {props.problem !== null && <Notice tone="bad" text={props.problem} />}
      <form class="card card-form" method="post" action="/login">
        <input type="hidden" name="form" value={props.formToken} />
        <input type="hidden" name="next" value={props.next} />
        <TextField
          name="name"
          label={words.name}
          value={props.name}
          attributes={{ autocomplete: "username", required: true, autocapitalize: "none" }}
        />
        <TextField
          name="password"
          label={words.password}
          value=""
          type="password"
          attributes={{ autocomplete: "current-password", required: true }}
        />
        <button class="button" type="submit">
          {words.button}
        </button>
      </form>
      <p class="hint">
        {words.first} <code>admin</code>. {words.forgotten} <code>trawl users passwd admin</code>.
      </p>
    </PublicPage>
  );
}
