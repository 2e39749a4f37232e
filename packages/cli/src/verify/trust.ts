import {
  CannotVerifyError,
  createTrust,
  type IssuerKeys,
  type TrustOptions as SdkOptions,
  type Trust,
} from '@touchstone/certificate';
import { type CliError, cannotTell, usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';
import { baseAddress } from '../settings.ts';
import { keyFilesOf } from './key-files.ts';

export interface TrustOptions {
  readonly issuer?: readonly string[];
  readonly jwks?: readonly string[];
  readonly keysFetchedAt?: string;
}

const JWKS_BYTES = 1_000_000;

/** Whom the user trusts. */
export interface CliTrust extends Trust {
  /** The issuers whose keys are fetched from them: the others are not contacted. */
  readonly fetchesKeysOf: ReadonlySet<string>;
}

/**
 * Reads whom the user trusts, by the rule of the SDK (`createTrust`): nothing is taken from a document, no issuer is trusted by default,
 * and keys belong to the issuers that they are given for.
 *
 * @throws CliError (could not tell) if no issuer is named, (usage) if it is not clear whose keys are given; `keysFor` throws it if the keys
 *   cannot be obtained
 */
export async function readTrust(
  options: TrustOptions,
  io: Io,
  primitives: Pick<SdkOptions, 'verifyRs256' | 'sha256'> = {},
): Promise<CliTrust> {
  const { trustedIssuers, keys } = await readIssuers(options, io);
  const fetch = stoppable(io);
  try {
    const trust = createTrust({ ...primitives, trustedIssuers, keys, fetch });
    return {
      issuers: trust.issuers,
      fetchesKeysOf: new Set(
        trust.issuers.filter((one) => !keys.some(({ issuers }) => issuers.includes(one))),
      ),
      keysFor: (document, now) =>
        trust.keysFor(document, now).catch((error: unknown) => {
          throw asCliError(error);
        }),
    };
  } catch (error) {
    throw asCliError(error);
  }
}

/** Requests that end when the command is stopped. */
export function stoppable(io: Io): Io['fetch'] {
  return (url, init) =>
    io.fetch(url, { ...init, signal: AbortSignal.any([io.stop, init?.signal ?? io.stop]) });
}

/** The issuers that the user trusts, and the files of keys with those whose keys they are. @throws CliError (usage) */
export async function readIssuers(
  options: TrustOptions,
  io: Io,
): Promise<{ readonly trustedIssuers: readonly string[]; readonly keys: readonly IssuerKeys[] }> {
  const named =
    options.issuer ?? (io.env.TOUCHSTONE_ISSUER ?? '').split(',').filter((text) => text.trim() !== '');
  const trustedIssuers = named.map((text) => baseAddress(text, 'An issuer (--issuer, TOUCHSTONE_ISSUER)'));
  const fetchedAt = options.keysFetchedAt === undefined ? undefined : timeOf(options.keysFetchedAt);
  const keys: IssuerKeys[] = [];
  for (const { issuers, file } of keyFilesOf(options.jwks ?? [], [...new Set(trustedIssuers)])) {
    keys.push({ issuers, jwks: await readJwksFile(file, io), fetchedAt });
  }
  return { trustedIssuers, keys };
}

function timeOf(text: string): Date {
  // a time without its offset would mean another moment on another machine
  const time = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw usage(`--keys-fetched-at must be a time such as 2026-11-22T09:30:00Z, not “${text}”.`);
}

async function readJwksFile(path: string, io: Io): Promise<unknown> {
  const text = new TextDecoder().decode(await readInput(path, io, JWKS_BYTES));
  let jwks: unknown;
  try {
    jwks = JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${reasonOf(error)}`, 'A JWKS is an object like {"keys": […]}.');
  }
  const keys = (jwks as { readonly keys?: unknown } | null)?.keys;
  if (Array.isArray(keys) && keys.length > 0) return jwks;
  throw cannotTell(
    'keys_unavailable',
    `${path} contains no keys.`,
    'A JWKS is an object like {"keys": […]} with at least one key.',
  );
}

/** The error of the SDK as one of the command line; any other unchanged. */
export function asCliError(error: unknown): CliError | unknown {
  if (!(error instanceof CannotVerifyError)) return error;
  switch (error.code) {
    case 'no_trusted_issuer':
      return cannotTell(
        error.code,
        'No issuer is trusted, so no certificate can be verified.',
        'Give the service whose certificates you trust: --issuer https://… (repeatable), or TOUCHSTONE_ISSUER.',
      );
    case 'keys_address_unsafe':
      return usage(
        `${error.message} (--issuer, TOUCHSTONE_ISSUER)`,
        'If you have the keys of this issuer in a file, use that: --jwks <file>.',
        error.code,
      );
    case 'keys_unavailable':
      return cannotTell(
        error.code,
        error.message,
        'Keys can also be read from a file: --jwks <file>. If the file is older than the proof, fetch it again.',
        error,
      );
  }
}
