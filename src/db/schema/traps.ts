import { sql } from "drizzle-orm";
import {
  bigint,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** URL patterns of hosts that show signs of a trap: frontier/trap-patterns.ts. */
export const hostPatterns = pgTable(
  "host_patterns",
  {
    hostId: integer().notNull(),
    pattern: text().notNull(),
    /** First visits of its URLs. */
    pages: integer().notNull(),
    /** The last so many of them brought nothing new; no new text. */
    dry: integer().notNull(),
    barren: integer().notNull(),
    /** Shingles of the last pages: text/shingle-window.ts. */
    seen: bytea().notNull(),
    cutAt: timestamp({ withTimezone: true }),
    /** When one of its URLs is looked at again. */
    lookAt: timestamp({ withTimezone: true }),
    notedAt: timestamp({ withTimezone: true }).notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    primaryKey({ columns: [t.hostId, t.pattern] }),
    index("host_patterns_cut").on(t.hostId).where(sql`${t.cutAt} is not null`),
  ],
);

/** Query parameters that are, or were taken to be, without effect: frontier/trap-parameters.ts. */
export const hostParameters = pgTable(
  "host_parameters",
  {
    hostId: integer().notNull(),
    name: text().notNull(),
    /** Evidence that it changes no text, and that it does. */
    same: integer().notNull(),
    different: integer().notNull(),
    neutralAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.hostId, t.name] }),
    index("host_parameters_neutral").on(t.hostId).where(sql`${t.neutralAt} is not null`),
  ],
);

/** Second keys: URLs without the neutral parameters of their host, and who has them. */
export const pageKeys = pgTable(
  "page_keys",
  {
    key: uuid().notNull(),
    urlId: bigint({ mode: "number" }).notNull(),
    hostId: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.hostId, t.key] })],
);

/** How many URLs of a host were left alone as traps, by reason. */
export const hostRefusals = pgTable(
  "host_refusals",
  {
    hostId: integer().notNull(),
    reason: text().notNull(),
    value: bigint({ mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.hostId, t.reason] })],
);
