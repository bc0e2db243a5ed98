import { Elysia } from "elysia";
import type { Access } from "./auth.ts";

/**
 * `/robots.txt` of this server: crawlers may read what introduces it, and are kept from what is
 * endless (results), repeats others (stored texts) or is not theirs.
 */
export const robotsRoutes = (access: Access) =>
  new Elysia({ name: "robots" }).use(access).get(
    "/robots.txt",
    () =>
      new Response(ROBOTS, {
        headers: {
          "content-type": "text/plain; charset=utf-8",
          "cache-control": "public, max-age=3600",
        },
      }),
    { audience: "public" },
  );

const CLOSED = [
  "/search",
  "/suggest",
  "/cached",
  "/submit?",
  "/soumettre",
  "/login",
  "/admin",
  "/api/",
  "/events",
  "/metrics",
] as const;

const ROBOTS = [
  "User-agent: *",
  "Allow: /bot",
  ...CLOSED.map((path) => `Disallow: ${path}`),
  "",
].join("\n");
