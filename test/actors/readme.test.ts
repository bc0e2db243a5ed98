import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyStateMachine } from "xstate";
import { hostMachine } from "../../src/actors/host.ts";
import { urlMachine } from "../../src/actors/url.ts";
import { diagram } from "../support/diagram.ts";

const readme = readFileSync(join(import.meta.dir, "../../src/actors/README.md"), "utf8");
const drawn = [...readme.matchAll(/```mermaid\nstateDiagram-v2\n(.*?)\n```/gs)].map(([, lines]) =>
  lines!.split("\n"),
);
const machines: [name: string, machine: AnyStateMachine, at: number][] = [
  ["URL", urlMachine, 0],
  ["host", hostMachine, 1],
];

test.each(machines)("the README draws the machine of a %s as it is", (_, machine, at) => {
  expect(drawn[at]).toEqual(diagram(machine));
});
