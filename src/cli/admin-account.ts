import { accountByName, createFirstAccount, setPassword } from "../db/accounts.ts";
import type { Db } from "../db/connect.ts";
import { hashPassword } from "../http/password.ts";

const ADMIN = "admin";

/**
 * The account of the first start. Its password is ADMIN_PASSWORD, or one made here, given back to
 * be shown once: only its hash is stored. A changed ADMIN_PASSWORD takes effect at the next start.
 */
export async function ensureAdmin(db: Db, wanted: string | null): Promise<string | null> {
  const known = await accountByName(db, ADMIN);
  if (known) {
    if (wanted !== null && !(await Bun.password.verify(wanted, known.passwordHash))) {
      await setPassword(db, ADMIN, await hashPassword(wanted));
    }
    return null;
  }
  const password = wanted ?? makePassword();
  const passwordHash = await hashPassword(password);
  const isFirst = await createFirstAccount(db, { name: ADMIN, role: "admin", passwordHash });
  return isFirst && wanted === null ? password : null;
}

/** No characters that look alike: it is typed from a screen. About 100 bits. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 20;

export function makePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join("").replace(/(.{5})(?=.)/g, "$1-");
}
