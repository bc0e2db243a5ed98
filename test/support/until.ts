/** Waits for a condition, never for a fixed time; says what it waited for when it gives up. */
export async function until<T>(
  probe: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20, what = "a condition" } = {},
): Promise<Exclude<T, null | undefined | false>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as Exclude<T, null | undefined | false>;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await Bun.sleep(everyMs);
  }
}
