import type { Categories } from "./lexicon.ts";
import type { RegionProfile } from "./profile.ts";

/** What a parse thread is told of the region, to compile for itself. */
export interface RegionSource {
  readonly profile: RegionProfile;
  readonly categories: Categories;
}
