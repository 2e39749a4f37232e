/** What an examination found about one thing. */
export interface Finding {
  /** What was looked at, such as "disk". */
  readonly about: string;
  /** `unknown`: it could not be looked at. Only a `fault` keeps the service from doing what it is for. */
  readonly state: 'ok' | 'warning' | 'fault' | 'unknown';
  /** A sentence. */
  readonly found: string;
  /** What to do; a sentence, absent if nothing is to be done. */
  readonly remedy?: string;
}

export const ok = (about: string, found: string): Finding => ({ about, state: 'ok', found });

export const finding = (
  about: string,
  state: 'warning' | 'fault' | 'unknown',
  found: string,
  remedy?: string,
): Finding => ({ about, state, found, ...(remedy === undefined ? {} : { remedy }) });

/** The result of an examination, or that it failed, which is a fault of what it looks at. */
export async function examined(about: string, work: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    const { message } = error as Error;
    return [finding(about, 'fault', `It cannot be examined: ${message}.`)];
  }
}

const DAY = 86_400_000;

/** Whole days from one date to another. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / DAY);

export const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`;
