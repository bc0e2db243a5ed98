/** @jsxRuntime automatic @jsxImportSource preact */
import { type Chrome, Layout } from "../layout.tsx";
import { TextField } from "./form.tsx";
import { Notice } from "./notice.tsx";

export interface LoginProps {
  chrome: Chrome;
  formToken: string;
  next: string;
  /** Name as typed before. */
  name: string;
  problem: string | null;
  /** Plain HTTP elsewhere than on localhost. */
  isInsecure: boolean;
}

const INSECURE =
  "This connection is not encrypted: your password and session can be read on the way. " +
  "Put Trawl behind HTTPS and set PUBLIC_URL, or use it on localhost.";

export function LoginPage(props: LoginProps) {
  return (
    <Layout
      chrome={props.chrome}
      title="Sign in"
      area="public"
      styles={["console.css"]}
      head={<meta name="robots" content="noindex" />}
      mainClass="page page-narrow"
    >
      <h1>Sign in to the console</h1>
      {props.isInsecure && <Notice tone="warn" text={INSECURE} />}
      {props.problem !== null && <Notice tone="bad" text={props.problem} />}
      <form class="card card-form" method="post" action="/login">
        <input type="hidden" name="form" value={props.formToken} />
        <input type="hidden" name="next" value={props.next} />
        <TextField
          name="name"
          label="Name"
          value={props.name}
          attributes={{ autocomplete: "username", required: true, autocapitalize: "none" }}
        />
        <TextField
          name="password"
          label="Password"
          value=""
          type="password"
          attributes={{ autocomplete: "current-password", required: true }}
        />
        <button class="button" type="submit">
          Sign in
        </button>
      </form>
      <p class="hint">
        The first start prints the password of the account <code>admin</code>. A forgotten one is
        set anew by <code>trawl users passwd admin</code>.
      </p>
    </Layout>
  );
}
