import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialer, dialTcp, type Resolver } from '@touchstone/fetch';
import { readConfig, startService } from '@touchstone/server';
import { internetAt } from '../../../../packages/fetch/src/testing.ts';
import { UNLIMITED_FETCHES } from '../../../kit/registry.ts';

export interface CheckReport {
  readonly status: number;
  readonly verdict: string;
  readonly final_url: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly findings: readonly string[];
  /** The code of the first error: why a page could not be fetched. */
  readonly code: string;
  /** Duration in milliseconds. */
  readonly took: number;
}

/** A real service with a log of every connection that a page fetch would open. */
export interface GuardedService {
  readonly url: string;
  /** `host address:port` of every attempted connection. */
  readonly dials: readonly string[];
  /** The forbidden ones among them. */
  leaks(): string[];
  /** Log lines that report bugs of the service. */
  readonly faults: readonly string[];
  check(url: string): Promise<CheckReport>;
  close(): Promise<void>;
}

export interface GuardedOptions {
  readonly settings: Readonly<Record<string, string>>;
  /** Addresses of a name; called for each lookup. */
  readonly resolve: (host: string) => readonly string[] | undefined;
  /** The only addresses that may be dialled; listed here, so that the test does not depend on the guard's own rules. */
  readonly publicAddresses: readonly string[];
  /** The local port that serves these addresses. */
  readonly internetPort: number;
  /** Local ports to which FETCH_CONNECT_TO maps hosts. */
  readonly exemptPorts?: readonly number[];
  /** The port of connections that the guard should have rejected. */
  readonly canaryPort: number;
}

/** Starts it. A connection that the guard should have rejected is really opened, so that a canary receives it. */
export async function openGuardedService(options: GuardedOptions): Promise<GuardedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-guarded-'));
  const dials: string[] = [];
  const faults: string[] = [];
  const resolver: Resolver = {
    async resolve(host) {
      const addresses = options.resolve(host);
      return addresses === undefined ? { kind: 'unknown' } : { kind: 'addresses', addresses };
    },
  };
  const { internetPort, canaryPort, publicAddresses, exemptPorts = [] } = options;
  const allowed = [
    ...publicAddresses.map((address) => ` ${address}:`),
    ...exemptPorts.map((port) => ` 127.0.0.1:${port}`),
  ];
  const internet = internetAt(internetPort);
  const inside: Dialer = (address, port) =>
    exemptPorts.includes(port)
      ? dialTcp(address, port)
      : dialTcp(address === '::1' ? address : '127.0.0.1', canaryPort);
  const service = await startService(
    readConfig({
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_DATA_DIR: dataDir,
      TOUCHSTONE_LOG_LEVEL: 'warn',
      TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
      ...UNLIMITED_FETCHES,
      ...options.settings,
    }),
    {
      durable: false,
      resolver,
      dialer: (address, port) => (publicAddresses.includes(address) ? internet : inside)(address, port),
      onDial: (address, port, host) => void dials.push(`${host} ${address}:${port}`),
      logDestination: {
        write(line) {
          if (/"level":"(error|fatal)"/.test(line)) faults.push(line);
        },
      },
    },
  );
  return {
    url: service.url,
    dials,
    leaks: () => dials.filter((dial) => !allowed.some((start) => dial.includes(start))),
    faults,
    check: (url) => checkPage(service.url, url),
    async close() {
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function checkPage(service: string, url: string): Promise<CheckReport> {
  const begun = performance.now();
  const response = await fetch(`${service}/api/v1/mc4p/page-checks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
    signal: AbortSignal.timeout(60_000),
  });
  const body = (await response.json()) as Partial<CheckReport>;
  const errors = body.errors ?? [];
  return {
    status: response.status,
    verdict: body.verdict ?? JSON.stringify(body),
    final_url: body.final_url ?? '',
    errors,
    warnings: body.warnings ?? [],
    findings: body.findings ?? [],
    code: errors[0]?.split(':')[0] ?? '',
    took: performance.now() - begun,
  };
}
