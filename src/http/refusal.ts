/**
 * A request that is answered by an error page or error JSON. Thrown at the edge only, where the
 * framework offers no other way out of a hook; `errors.ts` turns it into the answer.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;

  /** `message` is shown to the reader as it is. */
  constructor(
    status: number,
    code: string,
    title: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.title = title;
    this.headers = headers;
  }
}

export const notFound = (message = "There is nothing at this address, or not any more."): Refusal =>
  new Refusal(404, "not_found", "Not found", message);

export const invalid = (message: string): Refusal =>
  new Refusal(400, "invalid", "This cannot be read", message);

export const signInFirst = (): Refusal =>
  new Refusal(401, "unauthorized", "Sign in first", "This needs a session or a bearer token.", {
    "www-authenticate": "Bearer",
  });

export const forbidden = (): Refusal =>
  new Refusal(403, "forbidden", "Not allowed", "Your account may look but not change things.");

export const forged = (): Refusal =>
  new Refusal(
    403,
    "csrf",
    "This form is out of date",
    "The request did not come from a page of this server, or its page is too old. " +
      "Go back, reload the page and try again.",
  );

export const tooMany = (retryAfterS: number, what = "requests"): Refusal =>
  new Refusal(
    429,
    "rate_limited",
    "Too many requests",
    `There were too many ${what} from your address. Try again in ${retryAfterS} s.`,
    { "retry-after": String(retryAfterS) },
  );

export const unavailable = (message: string): Refusal =>
  new Refusal(503, "unavailable", "Not available right now", message, { "retry-after": "5" });
