import { expect, test } from "bun:test";
import { join } from "node:path";
import { html, httpAnswer, startOrigin } from "./origin.ts";

const SCRIPT = join(import.meta.dir, "../support/short-of-files.ts");

test("without a descriptor left no host is blamed, with some a refusal is one", async () => {
  const origin = await startOrigin((socket) =>
    socket.write(httpAnswer("200 OK", {}, html("well"))),
  );
  const child = Bun.spawn(
    ["sh", "-c", `ulimit -n 80 && exec ${process.execPath} ${SCRIPT} ${origin.port}`],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect({ out: out.trim().split("\n"), err }).toEqual({
    out: ["unreachable", "no slot", "no slot", "not asked", "fetched"],
    err: "",
  });
  await origin.close();
});
