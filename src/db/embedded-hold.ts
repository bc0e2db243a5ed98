import postgres from "postgres";
import { ADVISORY_LOCK } from "./locks.ts";

/**
 * Our hold on the embedded Postgres: a shared advisory lock on a connection of its own, which is
 * never recycled. It ends with the process, however that ends.
 */
export interface Hold {
  /** Lets go. True: nobody else holds it, and until the connection ends nobody can take it. */
  release(): Promise<boolean>;
  end(): Promise<void>;
}

export type HoldTaken =
  | { readonly kind: "held"; readonly hold: Hold }
  /** The server is about to stop, is starting, or is not there (any more). */
  | { readonly kind: "away"; readonly detail: string }
  /** What listens there is not our server. */
  | { readonly kind: "stranger"; readonly detail: string };

const CONNECT_TIMEOUT_S = 5;
/** password refused, user unknown, database unknown, and an answer that is no Postgres's. */
const STRANGER = new Set(["28P01", "28000", "3D000", "SASL_SIGNATURE_MISMATCH"]);

export async function takeHold(url: string, onLost: () => void): Promise<HoldTaken> {
  const state = { isHeld: false };
  const sql = postgres(url, {
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: CONNECT_TIMEOUT_S,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "trawl hold" },
    onclose: () => {
      if (!state.isHeld) return;
      state.isHeld = false;
      onLost();
    },
  });
  try {
    const [row] = await sql`select pg_try_advisory_lock_shared(${ADVISORY_LOCK.hold}) as held`;
    if (row?.held !== true) {
      await sql.end({ timeout: 1 });
      return { kind: "away", detail: "it is being stopped" };
    }
    state.isHeld = true;
    return { kind: "held", hold: holdOn(sql, state) };
  } catch (error) {
    await sql.end({ timeout: 1 }).catch(() => {});
    const code = String((error as { code?: unknown }).code ?? "");
    const detail = (error as Error).message;
    return { kind: STRANGER.has(code) ? "stranger" : "away", detail };
  }
}

function holdOn(sql: postgres.Sql, state: { isHeld: boolean }): Hold {
  return {
    release: async () => {
      if (!state.isHeld) return false;
      state.isHeld = false;
      try {
        await sql`select pg_advisory_unlock_shared(${ADVISORY_LOCK.hold})`;
        const [row] = await sql`select pg_try_advisory_lock(${ADVISORY_LOCK.hold}) as alone`;
        return row?.alone === true;
      } catch {
        return false;
      }
    },
    end: () => sql.end({ timeout: 1 }),
  };
}
