import { expect, test } from "bun:test";
import { FarewellWatch } from "../../src/fetch/farewell.ts";

const record = (type: number, bytes: number) =>
  Buffer.concat([Buffer.from([type, 3, 3, bytes >> 8, bytes & 255]), Buffer.alloc(bytes)]);

const table: [why: string, stream: Buffer, isSaid: boolean][] = [
  ["nothing", Buffer.alloc(0), false],
  ["data alone", record(23, 400), false],
  ["data and a sealed alert", Buffer.concat([record(23, 400), record(23, 19)]), true],
  ["data and an open alert", Buffer.concat([record(23, 400), record(21, 26)]), true],
  ["an alert that is cut", record(21, 26).subarray(0, 20), false],
  ["an alert, and half a header", Buffer.concat([record(21, 2), Buffer.from([23, 3])]), false],
  ["data behind it", Buffer.concat([record(23, 19), record(23, 500)]), false],
];

test.each(table)("%s", (_, stream, isSaid) => {
  const whole = new FarewellWatch();
  whole.see(stream);
  expect(whole.isSaid).toBe(isSaid);
  const bytewise = new FarewellWatch();
  for (const byte of stream) bytewise.see(Uint8Array.of(byte));
  expect(bytewise.isSaid).toBe(isSaid);
});
