import { CannotVerifyError } from '@touchstone/certificate';
import { KEYS_PATH } from './offline.ts';

/** The public keys of the service that serves this page. */
export interface OwnKeys {
  readonly jwks: { readonly keys: readonly unknown[] };
  readonly count: number;
  /** When the service sent them; cached keys are older. */
  readonly at: Date;
}

const TIMEOUT_MS = 10_000;

/**
 * Fetches them from this origin, or from the service worker's cache.
 *
 * @throws CannotVerifyError `keys_unavailable`
 */
export async function fetchOwnKeys(): Promise<OwnKeys> {
  try {
    const answer = await fetch(KEYS_PATH, {
      headers: { accept: 'application/json' },
      cache: 'no-cache',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
    const jwks = (await answer.json()) as { keys?: unknown } | null;
    if (!Array.isArray(jwks?.keys) || jwks.keys.length === 0) throw new Error('It holds no keys.');
    const date = new Date(answer.headers.get('date') ?? Number.NaN);
    const at = Number.isNaN(date.getTime()) ? new Date() : date;
    return { jwks: { keys: jwks.keys }, count: jwks.keys.length, at };
  } catch (error) {
    throw new CannotVerifyError('keys_unavailable', String(error), error);
  }
}
