import { defineConfig } from "drizzle-kit";

/** For `drizzle-kit generate` alone; run from the root of the repository. */
// biome-ignore lint/style/noDefaultExport: the tool reads nothing else.
export default defineConfig({
  dialect: "postgresql",
  schema: "./src/db/schema",
  out: "./src/db/migrations",
  casing: "snake_case",
});
