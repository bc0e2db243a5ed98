import { afterAll, describe, expect, test } from "bun:test";
import {
  accountByName,
  accountByTokenHash,
  createAccount,
  createFirstAccount,
  listAccounts,
  removeAccount,
  setLang,
  setPassword,
  setTokenHash,
} from "../../src/db/accounts.ts";
import {
  createSession,
  endSession,
  pruneSessions,
  readSession,
  rotateSession,
} from "../../src/db/sessions.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const NOW = new Date("2030-01-01T00:00:00Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe("accounts", () => {
  test("of several processes that start at once, one makes the first", async () => {
    const admin = { name: "admin", role: "admin", passwordHash: "hash" } as const;
    const made = await Promise.all([1, 2, 3].map(() => createFirstAccount(db, admin)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await createFirstAccount(db, { ...admin, name: "other" })).toBe(false);
    expect((await listAccounts(db)).map((account) => account.name)).toEqual(["admin"]);
  });

  test("a name is taken once", async () => {
    const viewer = { name: "vera", role: "viewer", passwordHash: "hash" } as const;
    expect(await createAccount(db, viewer)).toMatchObject({ name: "vera", role: "viewer" });
    expect(await createAccount(db, viewer)).toBeNull();
  });

  test("the last admin stays", async () => {
    expect(await removeAccount(db, "admin")).toEqual({ kind: "last admin" });
    await createAccount(db, { name: "second", role: "admin", passwordHash: "hash" });
    const both = await Promise.all([removeAccount(db, "admin"), removeAccount(db, "second")]);
    expect(both.map((result) => result.kind).sort()).toEqual(["last admin", "removed"]);
    expect(await removeAccount(db, "nobody")).toEqual({ kind: "missing" });
  });

  test("a token is found by its hash alone, and a new one ends the old", async () => {
    expect(await setTokenHash(db, "vera", "hash-one")).toBe(true);
    expect(await accountByTokenHash(db, "hash-one")).toMatchObject({
      name: "vera",
      role: "viewer",
    });
    await setTokenHash(db, "vera", "hash-two");
    expect(await accountByTokenHash(db, "hash-one")).toBeNull();
    await setTokenHash(db, "vera", null);
    expect(await accountByTokenHash(db, "hash-two")).toBeNull();
    expect(await setTokenHash(db, "nobody", "hash")).toBe(false);
  });

  test("a language of its own", async () => {
    const { id } = (await accountByName(db, "vera"))!;
    await setLang(db, id, "fr");
    expect((await accountByName(db, "vera"))!.lang).toBe("fr");
  });
});

describe("sessions", () => {
  async function begin(idHash: string, expiresAt = later(1_000)) {
    const { id } = (await accountByName(db, "vera"))!;
    const session = { idHash, accountId: id, csrf: "csrf", expiresAt };
    await createSession(db, session, NOW);
    return session;
  }

  test("live until their time, with the account as it is now", async () => {
    await begin("one");
    expect(await readSession(db, "one", NOW)).toMatchObject({
      account: { name: "vera", role: "viewer" },
      csrf: "csrf",
      createdAt: NOW,
      expiresAt: later(1_000),
    });
    expect(await readSession(db, "one", later(1_000))).toBeNull();
    expect(await readSession(db, "two", NOW)).toBeNull();
  });

  test("rotate: the new id is good, the old one for its grace", async () => {
    const session = await begin("old", later(100_000));
    const times = { now: NOW, oldExpiresAt: later(60) };
    expect(await rotateSession(db, "old", { ...session, idHash: "new" }, times)).toBe(true);
    expect(await readSession(db, "new", later(50_000))).not.toBeNull();
    expect(await readSession(db, "old", later(59))).not.toBeNull();
    expect(await readSession(db, "old", later(61))).toBeNull();
    const late = { now: later(61), oldExpiresAt: later(121) };
    expect(await rotateSession(db, "old", { ...session, idHash: "third" }, late)).toBe(false);
    expect(await readSession(db, "third", later(62))).toBeNull();
  });

  test("end at logout, at a new password, with the account, and by age", async () => {
    await begin("logout");
    await endSession(db, "logout");
    expect(await readSession(db, "logout", NOW)).toBeNull();

    await begin("password");
    expect(await setPassword(db, "vera", "new hash")).toBe(true);
    expect(await readSession(db, "password", NOW)).toBeNull();
    expect(await setPassword(db, "nobody", "hash")).toBe(false);

    await begin("aged", later(10));
    await begin("young", later(1_000));
    expect(await pruneSessions(db, later(500))).toBe(1);
    expect(await readSession(db, "young", NOW)).not.toBeNull();

    await removeAccount(db, "vera");
    expect(await readSession(db, "young", NOW)).toBeNull();
  });
});
