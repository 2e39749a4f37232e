/** Milliseconds. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A proof is checked again within this time of its last success. */
export const MAX_AGE = 10 * DAY;
/** From the first check in a row that misses the challenge until the proof ends. */
export const GRACE = 14 * DAY;
/** Between the two checks of an owner whose host another merchant has proven. */
const CONTEST = HOUR;
/** For which a node that checks a host keeps others from it; longer than a check may take. */
export const LEASE = HOUR / 6;

const EARLIEST = 6 * DAY;
const LATEST = 9 * DAY;
const AFTER_MISS = DAY;
const AFTER_FAULT = HOUR;

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds);

export const leaseFrom = (now: Date) => later(now, LEASE);
export const contestEnd = (begun: Date) => later(begun, CONTEST);
/** No check is scheduled for later. */
export const latestCheck = (now: Date) => later(now, MAX_AGE);
export const graceEnd = (missedSince: Date) => later(missedSince, GRACE);
export const afterFault = (now: Date) => later(now, AFTER_FAULT);

/** Spread, so that hosts proven together are not checked together; a day before the limit, for retries after faults of ours. */
export function afterSuccess(checked: Date, random = Math.random): Date {
  return later(checked, EARLIEST + random() * (LATEST - EARLIEST));
}

/** The last check is at the end of the grace time: a proof ends only by a check that misses. */
export function afterMiss(checked: Date, missedSince: Date): Date {
  return new Date(Math.min(checked.getTime() + AFTER_MISS, graceEnd(missedSince).getTime()));
}

/** Whether a check that misses ends the proof. */
export function endsProof(checked: Date, missedSince: Date): boolean {
  return checked >= graceEnd(missedSince);
}
