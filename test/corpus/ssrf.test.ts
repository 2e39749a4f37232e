import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../kit/servers.ts';
import { type Canaries, openCanaries } from '../stress/support/answers/canaries.ts';
import {
  type CheckReport,
  type GuardedService,
  openGuardedService,
} from '../stress/support/answers/guarded-service.ts';
import { PUBLIC_ADDRESS } from '../stress/support/answers/targets.ts';
import { inParallel } from '../stress/support/client.ts';

const FILE = join(
  process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora'),
  'ssrf-urls/urls.txt',
);

/** Addresses of names that resolve to the public internet, and the only literal public address in the corpus. */
const PUBLIC = [PUBLIC_ADDRESS, '1.1.1.1'];
/** The host that redirects; every other name is from the corpus. */
const START = 'start.example';

const direct = (url: string) => url;
const redirected = (_url: string, at: number) => `http://${START}/redirect/${at}`;

describe.skipIf(!existsSync(FILE))('no address of the SSRF corpus reaches a private network', () => {
  const urls = existsSync(FILE)
    ? readFileSync(FILE, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  let canaries: Canaries;
  let internet: TestServer;
  let service: GuardedService;
  /** Addresses of all names of the corpus. */
  let names: readonly string[];

  beforeAll(async () => {
    canaries = await openCanaries();
    expect(await canaries.control()).toBeGreaterThanOrEqual(4);
    internet = await httpServer((request, response) => {
      const at = Number(/^\/redirect\/(\d+)/.exec(request.url ?? '')?.[1] ?? -1);
      const location = urls[at];
      if (location === undefined || request.headers.host !== START) {
        return void response.setHeader('content-type', 'text/html').end('<html><title>Public</title>');
      }
      response.writeHead(302, { location: Buffer.from(location, 'utf8').toString('latin1') }).end();
    });
    service = await openGuardedService({
      settings: {},
      resolve: (host) => (host === START ? [PUBLIC_ADDRESS] : names),
      publicAddresses: PUBLIC,
      internetPort: internet.port,
      canaryPort: canaries.port,
    });
  });
  afterAll(async () => {
    await service?.close();
    await canaries?.close();
    await internet?.close();
  });

  async function checkAll(toUrl: (url: string, at: number) => string): Promise<CheckReport[]> {
    const reports: CheckReport[] = [];
    await inParallel(urls, 8, async (url, at) => {
      reports[at] = await service.check(toUrl(url, at));
    });
    expect(service.leaks()).toEqual([]);
    expect(canaries.seen()).toBe(0);
    expect(service.faults).toEqual([]);
    // 422: no web address at all
    expect(reports.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    const pages = reports.filter(
      ({ status, verdict }) => status === 200 && verdict !== 'page_fetch_failed',
    ).length;
    console.info(
      `${reports.length} addresses: ${pages} fetched from the public internet, the others refused`,
    );
    return reports;
  }

  it.each([
    ['asked for', direct],
    ['redirected to', redirected],
  ])('when %s, with every name resolving to a private address', async (_how, toUrl) => {
    names = ['127.0.0.1', '::1'];
    const reports = await checkAll(toUrl);
    // except literal public addresses
    const pages = reports.filter(({ status, verdict }) => status === 200 && verdict !== 'page_fetch_failed');
    expect(pages.filter(({ final_url }) => !PUBLIC.includes(new URL(final_url).hostname))).toEqual([]);
  });

  it.each([
    ['asked for', direct],
    ['redirected to', redirected],
  ])('when %s, with every name resolving to the public internet', async (_how, toUrl) => {
    names = [PUBLIC_ADDRESS];
    const reports = await checkAll(toUrl);
    // the corpus contains real sites, which are fetched
    expect(reports.some(({ verdict }) => verdict === 'no_certificate')).toBe(true);
  });
});
