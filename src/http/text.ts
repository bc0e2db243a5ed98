import { t } from "elysia";

/**
 * Text that a client gives and that may reach the store: without control characters, of which
 * Postgres takes no NUL and nobody means any. What a person pastes may hold tabs and line ends.
 */
export const text = (maxLength: number, minLength = 0) =>
  t.String({ minLength, maxLength, pattern: `^[^${CONTROLS}]*$` });

const CONTROLS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
