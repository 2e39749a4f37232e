/** Somebody who waits for a reading thread. */
export interface Waiting {
  readonly caller: string;
  /** Bytes of the page. */
  readonly size: number;
}

export interface LineLimits {
  readonly pages: number;
  /** Of all waiting pages together. */
  readonly bytes: number;
}

/** What was read for a caller lately; older pages count for less. */
interface Account {
  /** Milliseconds. */
  readonly spent: number;
  readonly at: number;
  /** After a heavy page: when that will be forgiven. */
  readonly heavyUntil: number;
  /** Pages since then. */
  readonly light: number;
}

/** Milliseconds after which half of what a caller spent is forgotten. */
const HALF_LIFE = 5_000;
/** Milliseconds spent lately; steadily taking a seventh of a thread comes to this. */
const HEAVY = 1_000;
/** Milliseconds; large pages of real shops take 30. */
const HEAVY_PAGE = 60;
/** Milliseconds after a heavy page in which its caller counts as heavy. */
const HEAVY_FOR = 60_000;
/** Pages, none of them heavy, after which a caller is trusted to send no heavy ones. */
const TRUST_AFTER = 3;
/** Callers remembered; whoever was not seen for longest is forgotten first. */
const REMEMBERED = 10_000;

/**
 * Pages that wait to be read, in fair order: the next is that of the caller for whom was read least lately, so that
 * whoever sends heavy pages waits behind everybody else, and not the other way round.
 */
export interface WaitingLine<T extends Waiting> {
  /** Lets somebody wait. Answers who has to go instead when there is no room: the heaviest caller's last. */
  join(entry: T): T | null;
  /** Takes out who is next. With `trustedOnly`, callers of many or heavy pages, and unknown ones, are passed over. */
  next(trustedOnly: boolean): T | null;
  leave(entry: T): void;
  /** Notes that reading a page took so many milliseconds of a processor. */
  charge(caller: string, milliseconds: number): void;
  readonly length: number;
}

/** @param now - milliseconds of a clock that only moves on */
export function createWaitingLine<T extends Waiting>(limits: LineLimits, now: () => number): WaitingLine<T> {
  const line: T[] = [];
  const accounts = new Map<string, Account>();

  const spentBy = (caller: string): number => {
    const account = accounts.get(caller);
    return account === undefined ? 0 : account.spent * 0.5 ** ((now() - account.at) / HALF_LIFE);
  };
  const isTrusted = (caller: string): boolean => {
    const account = accounts.get(caller);
    if (account === undefined || account.heavyUntil > now()) return false;
    return account.light >= TRUST_AFTER && spentBy(caller) <= HEAVY;
  };
  const remove = (entry: T) => {
    const at = line.indexOf(entry);
    if (at >= 0) line.splice(at, 1);
  };
  const isTooLong = () =>
    line.length > limits.pages || line.reduce((bytes, { size }) => bytes + size, 0) > limits.bytes;

  return {
    get length() {
      return line.length;
    },
    join(entry) {
      line.push(entry);
      if (!isTooLong()) return null;
      const spent = line.map(({ caller }) => spentBy(caller));
      const [worst] = line.splice(spent.lastIndexOf(Math.max(...spent)), 1);
      return worst ?? null;
    },
    next(trustedOnly) {
      const open = trustedOnly ? line.filter(({ caller }) => isTrusted(caller)) : line;
      const spent = open.map(({ caller }) => spentBy(caller));
      const first = open[spent.indexOf(Math.min(...spent))] ?? null;
      if (first !== null) remove(first);
      return first;
    },
    leave: remove,
    charge(caller, milliseconds) {
      const { light, heavyUntil } = accounts.get(caller) ?? { light: 0, heavyUntil: 0 };
      const spent = spentBy(caller) + milliseconds;
      const isHeavy = milliseconds > HEAVY_PAGE;
      // put last again
      accounts.delete(caller);
      accounts.set(caller, {
        spent,
        at: now(),
        heavyUntil: isHeavy ? now() + HEAVY_FOR : heavyUntil,
        light: isHeavy ? 0 : light + 1,
      });
      const [oldest] = accounts.keys();
      if (accounts.size > REMEMBERED && oldest !== undefined) accounts.delete(oldest);
    },
  };
}
