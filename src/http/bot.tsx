/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { BotPage } from "../../templates/bot.tsx";
import type { Access } from "./auth.ts";
import { compress } from "./compress.ts";
import { page } from "./page.ts";
import { publicChrome } from "./public-chrome.ts";
import type { PublicDeps } from "./public-deps.ts";

/** `/bot`: who crawls, for webmasters who saw us in their logs. */
export const botRoutes = (access: Access, { settings }: Pick<PublicDeps, "settings">) =>
  new Elysia({ name: "bot" })
    .use(access)
    .use(compress())
    .get(
      "/bot",
      ({ chrome, request }) =>
        page(
          <BotPage
            chrome={publicChrome(chrome, request)}
            userAgent={settings.userAgent}
            robotsToken={settings.robotsToken}
            contact={settings.contact}
          />,
        ),
      { audience: "public" },
    );
