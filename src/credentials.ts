/**
 * What the server can read of a credential. The settings are checked by the same: one that was
 * taken at the start but could never be used would lock the operator out.
 */

/** A bearer token as a header carries it: no spaces, nothing but ASCII. */
export const BEARER_TOKEN = /^[\x21-\x7e]{8,500}$/;

/** The longest password that is read; anything longer is refused before it costs work. */
export const PASSWORD_LENGTH_MAX = 1_000;

const PASSWORD_LENGTH_MIN = 8;

/** What keeps a new password from being used, as the end of a sentence; null: nothing. */
export function whyNoPassword(password: string): string | null {
  if (password.length < PASSWORD_LENGTH_MIN) return `has ${PASSWORD_LENGTH_MIN} characters or more`;
  if (password.length > PASSWORD_LENGTH_MAX) return `has ${PASSWORD_LENGTH_MAX} characters at most`;
  // No field of a form can be given one.
  return /\p{Cc}/u.test(password) ? "has no control characters" : null;
}
