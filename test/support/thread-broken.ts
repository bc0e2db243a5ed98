/** A thread that cannot load, for test/threads.test.ts. */
throw new Error("cannot load");
