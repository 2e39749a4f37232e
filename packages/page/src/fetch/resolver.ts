import { Resolver as DnsResolver } from 'node:dns/promises';
import { codeOf, FetchFault } from './failure.ts';

/** What a name leads to. */
export type Resolution =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] }
  /** The name does not exist, or has no address. */
  | { readonly kind: 'unknown' }
  /** The name's own servers are in failure, while ours are well. */
  | { readonly kind: 'broken'; readonly detail: string };

/** Looks names up. Asked once per hop; what it answers is what is dialled. */
export interface Resolver {
  /** @throws FetchFault when the failure is on our side */
  resolve(host: string, signal: AbortSignal): Promise<Resolution>;
}

export interface SystemResolverOptions {
  /** `address:port` of name servers; by default the system's own. */
  readonly servers?: readonly string[];
  /** Milliseconds for the first try of a query; later tries wait longer. */
  readonly timeout?: number;
  readonly tries?: number;
}

/**
 * Asks name servers directly (c-ares), for A and AAAA. Not getaddrinfo: that waits in the shared thread pool,
 * where four hostile names would stall every other work of the process, and reads the machine's hosts file.
 *
 * @example
 * ```ts
 * import { createSystemResolver } from '@touchstone/page/fetch';
 *
 * typeof createSystemResolver().resolve; // 'function'
 * ```
 */
export function createSystemResolver(options: SystemResolverOptions = {}): Resolver {
  const { servers, timeout = 2_000, tries = 2 } = options;
  return {
    async resolve(host, signal) {
      // one channel for each lookup, so that giving up cancels nobody else's
      const dns = new DnsResolver({ timeout, tries });
      if (servers !== undefined) dns.setServers(servers);
      const cancel = () => dns.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        signal.throwIfAborted();
        return await lookUp(dns, host, signal);
      } finally {
        signal.removeEventListener('abort', cancel);
        dns.cancel();
      }
    },
  };
}

async function lookUp(dns: DnsResolver, host: string, signal: AbortSignal): Promise<Resolution> {
  const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  signal.throwIfAborted();
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return { kind: 'addresses', addresses };
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const failure = errors.find((error) => !SAYS_NO.has(codeOf(error)));
  if (failure === undefined) return { kind: 'unknown' };
  if (await answersForTheRoot(dns)) return { kind: 'broken', detail: codeOf(failure) };
  signal.throwIfAborted();
  throw new FetchFault('The name servers cannot be reached.', { cause: failure });
}

/** A definite no: NXDOMAIN, no record of that type, or a name that cannot be one. */
const SAYS_NO: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME', 'EFORMERR']);

/** SERVFAIL and timeouts do not say whose failure it is. A resolver that is well knows the root by heart. */
async function answersForTheRoot(dns: DnsResolver): Promise<boolean> {
  try {
    return (await dns.resolveNs('.')).length > 0;
  } catch {
    return false;
  }
}
