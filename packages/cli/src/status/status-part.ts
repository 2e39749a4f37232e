import type { Store } from '@touchstone/contract';
import { CliError } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';

/** One part of a store's status. */
export interface StatusPart {
  /** Its name in JSON and in the text. */
  readonly name: string;
  /** The service's response. */
  readonly value: unknown;
  /** Lines of text. */
  readonly says: readonly string[];
  /** `working`: resolves itself; `open`: somebody must act; `failed`: something did not work. */
  readonly state: 'well' | 'working' | 'open' | 'failed';
  /** Next steps, one per line. */
  readonly nextSteps: readonly string[];
}

export type ReadPart = (client: ServiceClient, store: Store) => Promise<StatusPart>;

/** The response of a call, or `undefined` for a 404: the store has no such object. */
export async function unlessNone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CliError && answerOf(error)?.status === 404 && !isLeftOut(error)) return undefined;
    throw error;
  }
}

/** Nothing, if the service runs without the part that would answer. */
export async function unlessLeftOut(part: Promise<StatusPart>): Promise<StatusPart[]> {
  try {
    return [await part];
  } catch (error) {
    if (isLeftOut(error)) return [];
    throw error;
  }
}

function isLeftOut(error: unknown): boolean {
  return error instanceof CliError && error.code === 'part_left_out';
}
