import { setDefaultTimeout } from "bun:test";

/** Tests against real processes take their time on a small machine; a hang must still end. */
setDefaultTimeout(60_000);
