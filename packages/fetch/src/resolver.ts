import { Resolver as DnsResolver } from 'node:dns/promises';
import { codeOf, FetchFault } from './failure.ts';

/** The result of resolving a name. */
export type Resolution =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  /** The name does not exist, or has no address. */
  | { readonly kind: 'unknown' }
  /** The authoritative servers of the name fail, while our resolver works. */
  | { readonly kind: 'broken'; readonly detail: string };

/** Resolves names, once per hop; connections use only the returned addresses. */
export interface Resolver {
  /** @throws FetchFault for a local failure */
  resolve(host: string, signal: AbortSignal): Promise<Resolution>;
}

export interface ResolverOptions {
  /** `address:port` of name servers; default: those of the system. */
  readonly servers?: readonly string[];
  /** Milliseconds for the first attempt of a query; longer for later ones. */
  readonly timeout?: number;
  readonly tries?: number;
}

/**
 * Queries name servers directly (c-ares), for A and AAAA. Not getaddrinfo: that blocks the shared thread pool,
 * where four hostile names would stall all other work of the process, and it reads the machine's hosts file.
 *
 * @throws FetchFault for a local failure; the abort reason of `signal`
 */
export function resolveHost(
  host: string,
  signal: AbortSignal,
  options: ResolverOptions = {},
): Promise<Resolution> {
  return withResolver(options, signal, (dns) => lookUp(dns, host, signal));
}

/**
 * The TXT records of a name, each with its strings concatenated; none if the name does not exist.
 *
 * @throws FetchFault for a local failure; the abort reason of `signal`
 * @example
 * ```ts
 * import { resolveTxt } from '@touchstone/fetch';
 *
 * resolveTxt('shop.example', AbortSignal.abort()).catch(() => {}) instanceof Promise; // true
 * ```
 */
export function resolveTxt(
  name: string,
  signal: AbortSignal,
  options: ResolverOptions = {},
): Promise<{ readonly records: readonly string[] } | Extract<Resolution, { kind: 'broken' }>> {
  return withResolver(options, signal, async (dns) => {
    try {
      const records = await dns.resolveTxt(name);
      return { records: records.map((parts) => parts.join('')) };
    } catch (error) {
      if (SAYS_NO.has(codeOf(error))) return { records: [] };
      return unresolvable(dns, error, signal);
    }
  });
}

async function withResolver<T>(
  { servers, timeout = 2_000, tries = 2 }: ResolverOptions,
  signal: AbortSignal,
  work: (dns: DnsResolver) => Promise<T>,
): Promise<T> {
  // one channel per lookup, so that cancelling it does not affect others
  const dns = new DnsResolver({ timeout, tries });
  if (servers !== undefined) dns.setServers(servers);
  const cancel = () => dns.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await work(dns);
  } finally {
    signal.removeEventListener('abort', cancel);
    dns.cancel();
  }
}

async function lookUp(dns: DnsResolver, host: string, signal: AbortSignal): Promise<Resolution> {
  const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  signal.throwIfAborted();
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return { kind: 'addresses', addresses };
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const failure = errors.find((error) => !SAYS_NO.has(codeOf(error)));
  if (failure === undefined) return { kind: 'unknown' };
  return unresolvable(dns, failure, signal);
}

async function unresolvable(
  dns: DnsResolver,
  failure: unknown,
  signal: AbortSignal,
): Promise<Extract<Resolution, { kind: 'broken' }>> {
  signal.throwIfAborted();
  if (await answersForTheRoot(dns)) return { kind: 'broken', detail: codeOf(failure) };
  signal.throwIfAborted();
  throw new FetchFault('The name servers cannot be reached.', { cause: failure });
}

/** Definite negative answers: NXDOMAIN, no record of that type, or an invalid name. */
const SAYS_NO: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME', 'EFORMERR']);

/** Distinguishes failures after SERVFAIL or a timeout: a working resolver can always answer for the root zone. */
async function answersForTheRoot(dns: DnsResolver): Promise<boolean> {
  try {
    return (await dns.resolveNs('.')).length > 0;
  } catch {
    return false;
  }
}
