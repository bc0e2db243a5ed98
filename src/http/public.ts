import type { AnyElysia } from "elysia";
import type { Access } from "./auth.ts";
import { botRoutes } from "./bot.tsx";
import { cachedRoutes } from "./cached.tsx";
import { hostFormRoutes } from "./host-form.ts";
import { languageRoutes } from "./language.ts";
import type { PublicDeps } from "./public-deps.ts";
import { robotsRoutes } from "./robots.ts";
import { searchRoutes } from "./search.tsx";
import { searchMachineRoutes } from "./search-machines.tsx";
import { submitRoutes } from "./submit.tsx";

/** The page families that everybody may see, for `createApp`. */
export const publicFamilies = (deps: PublicDeps): readonly ((access: Access) => AnyElysia)[] => [
  (access) => searchRoutes(access, deps),
  (access) => searchMachineRoutes(access, deps),
  (access) => cachedRoutes(access, deps),
  (access) => submitRoutes(access, deps),
  (access) => botRoutes(access, deps),
  languageRoutes,
  hostFormRoutes,
  robotsRoutes,
];
