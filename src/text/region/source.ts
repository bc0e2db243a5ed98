import type { Categories } from "./lexicon.ts";
import type { RegionProfile } from "./profile.ts";

/** What there is to know of the region: parse threads compile it for themselves. */
export interface RegionSource {
  readonly profile: RegionProfile;
  readonly categories: Categories;
  /** Names of large places of the world: seeds/places.json. */
  readonly elsewhere: readonly string[];
}
