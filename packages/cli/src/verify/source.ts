import {
  type BytesResult,
  createBytesFetcher,
  createPageFetcher,
  createStreamFetcher,
  type FailedFetch,
  type FetcherOptions,
  FetchFault,
  type FetchResult,
  parseConnectTo,
} from '@touchstone/fetch';
import { MAX_BYTES } from '@touchstone/image';
import { cannotTell, usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { nonEmpty } from '../settings.ts';
import { USER_AGENT } from '../version.ts';
import { COMPACT_JWS } from './found-node.ts';

export interface SourceOptions {
  readonly connectTo?: readonly string[];
  readonly caFile?: string;
}

/** @throws CliError (could not tell) for a failure on this side; its cause is a `FetchFault` for network failures */
export type FetchPage = (url: string) => Promise<FetchResult>;

/** Creates a page fetcher with the service's SSRF guard: a page must not redirect the user's machine into a private network. */
export async function openFetcher(options: SourceOptions, io: Io): Promise<FetchPage> {
  const fetcher = createPageFetcher(await fetcherOptions(options, io));
  return (url) => onNetwork(io, () => fetcher.fetch(url, { signal: io.stop }));
}

/** Fetches an image with the same guard. @throws CliError (could not tell) for a failure on this side */
export async function fetchImage(url: string, options: SourceOptions, io: Io): Promise<BytesResult> {
  const limits = { bodySize: MAX_BYTES, totalTime: 30_000 };
  const fetcher = createBytesFetcher({ ...(await fetcherOptions(options, io)), limits });
  return onNetwork(io, () => fetcher.fetch(url, { signal: io.stop }));
}

/**
 * Reads a feed with the same guard while it arrives: a hundred thousand items with their certificates, compressed or not.
 *
 * @throws any error of `read`; CliError (could not tell) for a failure on this side
 */
export async function streamFeed(
  url: string,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  options: SourceOptions,
  io: Io,
): Promise<FailedFetch | undefined> {
  const limits = { bodySize: 1_000_000_000, totalTime: 600_000 };
  const fetcher = createStreamFetcher({ ...(await fetcherOptions(options, io)), limits });
  const result = await onNetwork(io, () => fetcher.fetch(url, read, { signal: io.stop }));
  return result.kind === 'failed' ? result : undefined;
}

async function fetcherOptions(options: SourceOptions, io: Io): Promise<FetcherOptions> {
  const caFile = options.caFile ?? nonEmpty(io.env.TOUCHSTONE_FETCH_CA_FILE);
  const ca =
    caFile === undefined ? undefined : new TextDecoder().decode(await readInput(caFile, io, 1_000_000));
  return { userAgent: USER_AGENT, connectTo: connectTo(options, io), ca };
}

async function onNetwork<T>(io: Io, fetching: () => Promise<T>): Promise<T> {
  try {
    return await fetching();
  } catch (error) {
    if (error instanceof FetchFault) {
      throw cannotTell(
        'network_unavailable',
        `The network of this machine does not work: ${error.message}`,
        'Check the connection and name servers.',
        error,
      );
    }
    if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
    throw error;
  }
}

function connectTo(options: SourceOptions, io: Io): ReturnType<typeof parseConnectTo> {
  const text = options.connectTo?.join(',') ?? io.env.TOUCHSTONE_FETCH_CONNECT_TO ?? '';
  try {
    return parseConnectTo(text);
  } catch (error) {
    throw usage(`--connect-to: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Content of a file: a page, or the document itself. */
type FileContent =
  | { readonly kind: 'html'; readonly bytes: Uint8Array }
  | { readonly kind: 'document'; readonly document: unknown };

/**
 * Reads a page or a document; a proof alone is also a document. Broken JSON, recognized by its first character, stays a string, which
 * `verify()` rejects.
 */
export async function readFileContent(target: string, io: Io): Promise<FileContent> {
  const bytes = await readInput(target, io);
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') throw usage(`${target === '-' ? 'Standard input' : target} is empty.`);
  try {
    return { kind: 'document', document: JSON.parse(text) };
  } catch {
    return /^["{[]/.test(text) || COMPACT_JWS.test(text)
      ? { kind: 'document', document: text }
      : { kind: 'html', bytes };
  }
}
