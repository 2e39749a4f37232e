import { type Dialer, dialTcp } from './dial.ts';
import { createPageFetcher, type PageFetcher, type PageFetcherOptions } from './page.ts';
import type { Resolver } from './resolver.ts';

export const PUBLIC_ADDRESS = '93.184.215.14';

/** A resolver with answers from a table: per name a list, one entry for each query; the last entry is repeated. */
export function resolverOf(table: Readonly<Record<string, readonly (readonly string[])[]>>): {
  readonly resolver: Resolver;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const resolver: Resolver = {
    resolve: async (host) => {
      const answers = table[host];
      if (answers === undefined) return { kind: 'unknown' };
      const times = asked.filter((name) => name === host).length;
      asked.push(host);
      return { kind: 'addresses', addresses: answers[Math.min(times, answers.length - 1)] ?? [] };
    },
  };
  return { resolver, asked };
}

/** A dialer that replaces the public internet: connects to a local port and reports the requested address as the remote one. */
export function internetAt(port: number): Dialer {
  return (address) => {
    const socket = dialTcp('127.0.0.1', port);
    Object.defineProperty(socket, 'remoteAddress', { get: () => address });
    return socket;
  };
}

/** A fetcher that connects to a local port for `http://shop.example/`. */
export function fetcherAt(port: number, options: Partial<PageFetcherOptions> = {}): PageFetcher {
  return createPageFetcher({
    userAgent: 'Touchstone-test',
    connectTo: [{ host: 'shop.example', address: '127.0.0.1', toPort: port }],
    ...options,
  });
}
