/** Advisory locks of Trawl in its database: one list, so that no two meanings share a number. */
export const ADVISORY_LOCK = {
  /** Who holds it migrates, the others wait. */
  migration: 7_269_001,
  /** Shared by every process that uses the embedded Postgres; who gets it alone may stop it. */
  hold: 7_269_002,
  /** The first account, and the last admin. */
  firstAccount: 7_269_003,
  /** Making a partition of the history. */
  partition: 7_269_004,
  /** One block comes or goes at a time. */
  blocks: 7_269_005,
  /** Who holds it ranks the hosts. */
  ranking: 7_269_006,
  /** Hosts are raised and lowered one at a time. */
  hostFactors: 7_269_007,
} as const;
