import type { AdmissionPolicy } from "../../src/frontier/admit.ts";

/** Admits whatever can be asked for. */
export const OPEN_POLICY: AdmissionPolicy = {
  scope: "any",
  depthMax: 20,
  frontierIsFull: false,
  isSeededHost: () => false,
  isSeededDomain: () => false,
  isNamedOfRegion: () => false,
  isBlocked: () => false,
  patterns: () => null,
  hostIsFull: () => false,
  traps: () => null,
};
