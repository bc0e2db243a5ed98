import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits as text: session ids, CSRF and API tokens. */
export const randomToken = (): string => randomBytes(32).toString("base64url");

/** What is stored of a secret: sha256 in hex. Enough for random secrets, never for passwords. */
export const hashToken = (token: string): string =>
  createHash("sha256").update(token).digest("hex");

/** Compares without telling by its duration where the two differ, nor how long they are. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
