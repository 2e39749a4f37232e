import { createKeySet, type KeySet } from '@touchstone/certificate/verify';
import { cannotTell, usage } from '../cli-error.ts';
import { isRecord } from '../client/problem.ts';
import { reasonOf } from '../client/service-client.ts';
import { readInput } from '../input.ts';
import type { Io } from '../io.ts';
import { baseAddress } from '../settings.ts';

/** Whom the user trusts, and where their keys come from. Nothing of it is ever taken from a document. */
export interface Trust {
  /** Values of `iss`, without trailing slash; at least one. */
  readonly issuers: readonly string[];
  /**
   * The keys that may vouch for a proof. With several issuers the proof's own `iss` only selects among them: the
   * keys of one never speak for another.
   */
  keysFor(jwt: string | undefined): Promise<{ readonly issuers: readonly string[]; readonly keySet: KeySet }>;
}

export interface TrustOptions {
  readonly issuer?: readonly string[];
  readonly jwks?: string;
}

const JWKS_PATH = '/api/v1/.well-known/jwks.json';
const JWKS_BYTES = 1_000_000;
const JWKS_TIME = 10_000;

/** @throws CliError (could not tell) when no issuer is named: nobody can be trusted by default */
export async function readTrust(options: TrustOptions, io: Io): Promise<Trust> {
  const named =
    options.issuer ?? (io.env.TOUCHSTONE_ISSUER ?? '').split(',').filter((text) => text.trim() !== '');
  const issuers = named.map((text) => baseAddress(text, 'An issuer (--issuer, TOUCHSTONE_ISSUER)'));
  if (issuers.length === 0) {
    throw cannotTell(
      'No issuer is trusted, so no certificate can be verified.',
      'Name the service whose certificates you trust: --issuer https://… (repeatable), or TOUCHSTONE_ISSUER.',
    );
  }
  if (options.jwks !== undefined) {
    const keySet = keySetOf(await readJwksFile(options.jwks, io), options.jwks);
    return { issuers, keysFor: async () => ({ issuers, keySet }) };
  }
  const fetched = new Map<string, Promise<KeySet>>();
  return {
    issuers,
    async keysFor(jwt) {
      // without a proof nothing will be asked of the keys
      if (jwt === undefined) return { issuers, keySet: createKeySet({ keys: [] }) };
      const issuer = issuers.find((known) => known === claimedIssuer(jwt)) ?? issuers[0] ?? '';
      const keySet = fetched.get(issuer) ?? fetchKeySet(issuer, io);
      fetched.set(issuer, keySet);
      return { issuers: [issuer], keySet: await keySet };
    },
  };
}

async function readJwksFile(path: string, io: Io): Promise<unknown> {
  const text = new TextDecoder().decode(await readInput(path, io, JWKS_BYTES));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${reasonOf(error)}`, 'A JWKS is an object like {"keys": […]}.');
  }
}

async function fetchKeySet(issuer: string, io: Io): Promise<KeySet> {
  const url = `${issuer}${JWKS_PATH}`;
  const offline = 'If you have its keys in a file, name that instead: --jwks <file>.';
  let text: string;
  try {
    const response = await io.fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([io.stop, AbortSignal.timeout(JWKS_TIME)]),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    text = await boundedText(response);
  } catch (error) {
    throw cannotTell(
      `The keys of ${issuer} cannot be fetched from ${url} (${reasonOf(error)}).`,
      offline,
      error,
    );
  }
  try {
    return keySetOf(JSON.parse(text), url);
  } catch (error) {
    throw cannotTell(`What ${url} answers is no JWKS (${reasonOf(error)}).`, offline, error);
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > JWKS_BYTES) throw new Error('it is larger than 1 MB');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** An empty or wrong list would make every signature look forged, where in truth nothing is known. */
function keySetOf(jwks: unknown, where: string): KeySet {
  if (!isRecord(jwks) || !Array.isArray(jwks.keys) || jwks.keys.length === 0) {
    throw cannotTell(
      `${where} holds no keys.`,
      'A JWKS is an object like {"keys": […]} with at least one key.',
    );
  }
  return createKeySet(jwks);
}

/** The `iss` that an unverified proof claims; only ever compared with the trusted ones. */
function claimedIssuer(jwt: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isRecord(claims) && typeof claims.iss === 'string' ? claims.iss.replace(/\/+$/, '') : undefined;
  } catch {
    return undefined;
  }
}
