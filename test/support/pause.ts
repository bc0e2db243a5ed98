/**
 * A fixed time that is the case itself: how long a scripted server takes, how long something is
 * measured. To wait for the program there is `until`.
 */
export const pause = (ms: number): Promise<void> => Bun.sleep(ms);
