/** The present moment; replaced in tests. */
export type Clock = () => Date;

/** Seconds that have passed since then, never less than 0; 0 without a moment to count from. */
export function secondsSince(then: Date | null | undefined, now: Date): number {
  return Math.max(0, (now.getTime() - (then ?? now).getTime()) / 1_000);
}
