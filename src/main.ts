#!/usr/bin/env -S bun --no-env-file
import { listenForInterrupt } from "./cli/interrupt.ts";

const interrupt = listenForInterrupt();
// Only now what takes its time to load.
const { runCommandLine } = await import("./cli/run.ts");
process.exit(await runCommandLine(process.argv.slice(2), interrupt));
