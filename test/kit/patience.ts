/** Milliseconds that end what hangs. No test is judged by them, however busy the machine. */
export const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000 } as const;

/** For what is waited for: less than for the test, so that the test says what did not come. */
export const PATIENT = { timeout: 200_000 } as const;
