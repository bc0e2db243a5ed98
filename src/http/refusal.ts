import { type RefusalWords, refusals, type Said } from "../../templates/words/refusals.ts";

/** What a refusal says, in the language of the words that it is given. */
type Say = (words: RefusalWords) => Said;

/**
 * A request that is answered by an error page or error JSON. Thrown at the edge only, where the
 * framework offers no other way out of a hook; `errors.ts` turns it into the answer.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly say: Say;
  readonly headers: Readonly<Record<string, string>>;

  /** The message for programs is the English one. */
  constructor(
    status: number,
    code: string,
    say: Say,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(say(refusals.en).text);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.say = say;
    this.headers = headers;
  }
}

/** What only the console and programs are told, in English as they are. */
const english =
  (title: string, text: string): Say =>
  () => ({ title, text });

export const notFound = (message?: string): Refusal =>
  new Refusal(404, "not_found", (words) =>
    message === undefined ? words.notFound : { ...words.notFound, text: message },
  );

/** `allow`: the methods that the address knows. */
export const badMethod = (allow: readonly string[]): Refusal =>
  new Refusal(405, "method_not_allowed", (words) => words.badMethod, { allow: allow.join(", ") });

export const badHost = (): Refusal => new Refusal(400, "bad_host", (words) => words.badHost);

/** `say` a fault in the reader's words, or in a sentence that is in their language already. */
export const invalid = (fault: string | Say): Refusal =>
  new Refusal(400, "invalid", typeof fault === "string" ? (words) => words.faulty(fault) : fault);

export const signInFirst = (headers: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal(401, "unauthorized", (words) => words.signInFirst, {
    "www-authenticate": "Bearer",
    ...headers,
  });

export const toLogin = (location: string): Refusal =>
  new Refusal(303, "unauthorized", (words) => words.signInFirst, { location });

export const forbidden = (): Refusal =>
  new Refusal(
    403,
    "forbidden",
    english("Not allowed", "Your account may look but not change things."),
  );

export const forged = (): Refusal => new Refusal(403, "csrf", (words) => words.forged);

export const tooMany = (retryAfterS: number, what: "requests" | "tries" = "requests"): Refusal =>
  new Refusal(
    429,
    "rate_limited",
    (words) => (what === "tries" ? words.tooManyTries(retryAfterS) : words.tooMany(retryAfterS)),
    { "retry-after": String(retryAfterS) },
  );

/** For what an operator asked and cannot have now. */
export const refused = (message: string): Refusal =>
  new Refusal(409, "refused", english("This cannot be done now", message));

export const unavailable = (say: Say): Refusal =>
  new Refusal(503, "unavailable", say, { "retry-after": "5" });

export const tooManyWatch = (): Refusal =>
  unavailable(english("Not available right now", "Too many people are watching. Refresh by hand."));

export const internal = (): Refusal => new Refusal(500, "internal", (words) => words.internal);
