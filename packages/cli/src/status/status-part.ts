import type { Store } from '@touchstone/contract';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';

/** What one part of a store's status says. */
export interface StatusPart {
  /** Its name in JSON, and in words. */
  readonly name: string;
  /** As the service told it. */
  readonly value: unknown;
  /** A line each. */
  readonly says: readonly string[];
  /** `working`: all will be well by itself; `open`: somebody has to do something; `failed`: something did not work. */
  readonly standing: 'well' | 'working' | 'open' | 'failed';
  /** What to do next, a line each. */
  readonly toDo: readonly string[];
}

export type ReadPart = (client: ServiceClient, store: Store) => Promise<StatusPart>;

/** What a call answers, or `undefined` where it answers 404: the store has no such thing. */
export async function unlessNone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CliError && answerOf(error)?.status === 404) return undefined;
    throw error;
  }
}
