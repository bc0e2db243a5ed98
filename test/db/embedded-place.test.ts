import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Embedded, startEmbedded } from "../../src/db/embedded.ts";
import {
  canMap,
  isRoot,
  ownerAccount,
  unprivilegedAccount,
} from "../../src/db/embedded-account.ts";
import { type Binaries, copyBinaries, findBinaries } from "../../src/db/embedded-binaries.ts";
import { readLastWords } from "../../src/db/embedded-failure.ts";
import { findPlace, type Place } from "../../src/db/embedded-place.ts";
import { silentLog } from "../../src/log.ts";

setDefaultTimeout(60_000);

/** One world for the file: a folder as closed as /root, and one that everybody may enter. */
const world = mkdtempSync(join(tmpdir(), "trawl-place-"));
chmodSync(world, 0o755);
const closed = join(world, "root");
const refuge = join(world, "refuge");
mkdirSync(closed, { mode: 0o700 });
afterAll(() => rmSync(world, { recursive: true, force: true }));

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

let count = 0;
function dataDirIn(parent: string): string {
  return join(parent, `data-${count++}`);
}

describe.skipIf(!isRoot())("as root", () => {
  const mapped = isRoot() && Bun.spawnSync(["unshare", "--user", "true"]).exitCode === 0;

  test.skipIf(!mapped)(
    "below a closed folder: a user namespace, data and program stay",
    async () => {
      const dataDir = dataDirIn(closed);
      const running = await start({ dataDir, refuge });
      expect(running.notice).toBeNull();
      expect(statSync(join(dataDir, "postgres")).uid).toBe(0);
      expect(lstatSync(join(dataDir, "postgres")).isDirectory()).toBe(true);
    },
  );

  test.skipIf(!mapped)("the namespace reaches a program below a closed folder", async () => {
    const copy = copyBinaries(binaries(), dataDirIn(closed));
    expect(await canMap(copy.postgres, closed)).toBe(true);
  });

  test.skipIf(!mapped)("but not what belongs to somebody else and is closed", async () => {
    const theirs = dataDirIn(world);
    mkdirSync(theirs, { mode: 0o700 });
    Bun.spawnSync(["chown", "65534", theirs]);
    expect(await canMap(binaries().postgres, theirs)).toBe(false);
  });

  test("without namespaces, in an open folder: another account owns the data", async () => {
    const dataDir = dataDirIn(world);
    const running = await start({ dataDir, refuge, mayMap: false });
    expect(running.notice).toMatch(/runs as the account \w+/);
    expect(statSync(join(dataDir, "postgres")).uid).toBe(unprivilegedAccount().uid);
    expect(lstatSync(join(dataDir, "postgres")).isDirectory()).toBe(true);
  });

  test("without namespaces, below a closed folder: data elsewhere, a link, and told", async () => {
    const dataDir = dataDirIn(closed);
    const first = await start({ dataDir, refuge, mayMap: false });
    expect(first.notice).toContain(refuge);
    expect(lstatSync(join(dataDir, "postgres")).isSymbolicLink()).toBe(true);
    await first.stop();
    const again = await start({ dataDir, refuge, mayMap: false });
    expect(again.url).toBe(first.url);
  });

  test.skipIf(!mapped)("data made with namespaces moves once when they are gone", async () => {
    const dataDir = dataDirIn(closed);
    const first = await start({ dataDir, refuge });
    await first.stop();
    const second = await start({ dataDir, refuge, mayMap: false });
    expect(second.notice).toContain(refuge);
    await second.stop();
    const third = await start({ dataDir, refuge });
    expect(third.url).toBe(first.url);
    expect(lstatSync(join(dataDir, "postgres")).isSymbolicLink()).toBe(true);
  });

  test("a program below a closed folder is copied beside the data", async () => {
    const hidden = copyBinaries(binaries(), dataDirIn(closed));
    const dataDir = dataDirIn(closed);
    const place = await placeOf({ dataDir, binaries: hidden, refuge, mayMap: false });
    expect(place.binaries.folder.startsWith(refuge)).toBe(true);
    expect(place.notice).toContain(place.binaries.folder);
  });

  test("a refuge that nobody reaches either is said", async () => {
    const options = { dataDir: dataDirIn(closed), binaries: binaries(), mayMap: false };
    const found = await findPlace({ ...options, refuge: join(closed, "refuge") });
    expect(found.kind === "failed" && found.failure.kind).toBe("no account");
    expect(found.kind === "failed" && found.failure.message).toMatch(/ordinary user.*DATABASE_URL/);
  });

  test("an ordinary user's data is served as that user", async () => {
    const dataDir = dataDirIn(world);
    mkdirSync(join(dataDir, "postgres"), { recursive: true });
    Bun.spawnSync(["chown", "-R", "65534:65534", dataDir]);
    const place = await placeOf({ dataDir, binaries: binaries(), refuge });
    expect(place.account).toMatchObject({ kind: "dropped", uid: 65_534 });
  });
});

test("a blocked postinstall is made up for: the library links appear", () => {
  const folder = copyBinaries(binaries(), dataDirIn(world)).folder;
  const lib = join(folder, "lib");
  const links = readdirSync(lib).filter((name) => lstatSync(join(lib, name)).isSymbolicLink());
  expect(links).toContain("libpq.so.5");
  for (const name of links) unlinkSync(join(lib, name));
  const found = findBinaries(folder);
  expect(found.kind).toBe("found");
  for (const name of links) expect(existsSync(join(lib, name))).toBe(true);
});

const passwd =
  "root:x:0:0::/root:/bin/sh\npostgres:x:101:104:,,,:/var:/bin/sh\nann:x:1000:1000::/:/bin/sh";
test("accounts by the list of the machine", () => {
  expect(unprivilegedAccount(passwd)).toMatchObject({ name: "postgres", uid: 101, gid: 104 });
  expect(unprivilegedAccount("root:x:0:0::/root:/bin/sh")).toMatchObject({ name: "nobody" });
  expect(ownerAccount(1000, 1000, passwd).name).toBe("ann");
  expect(ownerAccount(4711, 1, passwd)).toMatchObject({ name: "4711", uid: 4711, gid: 1 });
});

const words: [string, string][] = [
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', "no space"],
  ['FATAL:  could not create lock file "postmaster.pid": Read-only file system', "unwritable"],
  ['FATAL:  data directory "/x" has wrong ownership', "unwritable"],
  ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', "port taken"],
  ["postgres: error while loading shared libraries: libssl.so.1.1", "cannot run"],
  ["PANIC:  could not locate a valid checkpoint record", "crashed"],
];
for (const [line, kind] of words) {
  test(`last words: ${line.slice(0, 60)}`, () => {
    expect(readLastWords(`LOG:  starting\n${line}\n`, "/data").kind).toBe(kind as never);
  });
}

function binaries(): Binaries {
  const found = findBinaries();
  if (found.kind !== "found") throw new Error(found.message);
  return found.binaries;
}

type Options = { dataDir: string; refuge: string; mayMap?: boolean };

async function placeOf(options: Options & { binaries: Binaries }): Promise<Place> {
  const found = await findPlace(options);
  if (found.kind === "failed") throw new Error(found.failure.message);
  return found.place;
}

async function start(options: Options): Promise<Embedded> {
  const started = await startEmbedded({ ...options, log: silentLog });
  if (started.kind !== "running") throw new Error(`${started.kind}: ${started.message}`);
  cleanups.push(() => started.stop());
  return started;
}
