import { afterAll, beforeAll, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../kit/servers.ts';
import { type Canaries, openCanaries } from './support/answers/canaries.ts';
import { type GuardedService, openGuardedService } from './support/answers/guarded-service.ts';
import { forbiddenTargets, NAMES, PUBLIC_ADDRESS } from './support/answers/targets.ts';
import { inParallel } from './support/client.ts';

const STATUSES = [301, 302, 303, 307, 308];
/** Codes which mean that no request was sent. */
const REFUSALS = [
  'address_blocked',
  'port_blocked',
  'scheme_blocked',
  'host_unknown',
  'url_invalid',
  'redirect_invalid',
];

let canaries: Canaries;
let internet: TestServer;
let service: GuardedService;
/** Number of lookups of the name whose address changes. */
let lookups: number;
const refusals = new Map<string, number>();
let checks = 0;

/** All public hosts: redirect to the address in their query, else serve a page. */
function startInternet(): Promise<TestServer> {
  return httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://public.example');
    const to = searchParams.get('to');
    if (to === null)
      return void response.setHeader('content-type', 'text/html').end('<html><title>Public</title>');
    const location = Buffer.from(to, 'utf8').toString('latin1');
    response.writeHead(Number(pathname.slice(1)), { location }).end();
  });
}

function lookUp(host: string): readonly string[] | undefined {
  if (host !== 'rebinding.example') return NAMES[host];
  lookups += 1;
  // in an irregular order, to which no fixed number of lookups per check could be adapted
  return (lookups * 2_654_435_761) % 97 < 70 ? [PUBLIC_ADDRESS] : ['127.0.0.1'];
}

beforeAll(async () => {
  canaries = await openCanaries();
  internet = await startInternet();
  lookups = 0;
  service = await openGuardedService({
    // the canaries' port is allowed, so that only the address rule protects them
    settings: { TOUCHSTONE_FETCH_PORTS: `80,443,${canaries.port}` },
    resolve: lookUp,
    publicAddresses: [PUBLIC_ADDRESS],
    internetPort: internet.port,
    canaryPort: canaries.port,
  });
});
afterAll(async () => {
  const list = [...refusals].map(([code, count]) => `${code} ${count}`).join(', ');
  console.info(
    `${checks} checks, ${service.dials.length} connections, all to ${PUBLIC_ADDRESS}; refused: ${list}`,
  );
  await service.close();
  await canaries.close();
  await internet.close();
});

const redirectTo = (target: string, status = 302) =>
  `http://public.example/${status}?to=${encodeURIComponent(target)}`;

/** Only connections to the public internet, by the log of dials and by the canaries. */
function expectNoLeak(): void {
  expect(service.leaks()).toEqual([]);
  expect(canaries.seen()).toBe(0);
  expect(service.faults).toEqual([]);
}

/** Checks each address; returns those that were not rejected, with the result of each. */
async function notRefused(urls: readonly string[], by: GuardedService = service): Promise<string[]> {
  const wrong: string[] = [];
  await inParallel(urls, 8, async (url) => {
    const { status, verdict, code, errors } = await by.check(url);
    checks += 1;
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
    // a text that is no web address is an error of the request
    const isRefused =
      status === 422
        ? verdict.includes('url_parsing')
        : status === 200 && verdict === 'page_fetch_failed' && REFUSALS.includes(code);
    // the private address must not be disclosed
    const tellsAddress = /10\.0\.0\.5|fd00:ec2::254$/.test(errors.join());
    if (!isRefused || tellsAddress) wrong.push(`${url}: ${status} ${verdict} ${errors[0]}`);
  });
  return wrong;
}

it('the canaries detect a connection, and a public page is fetched', async () => {
  expect(await canaries.control()).toBeGreaterThanOrEqual(4);
  expect(await service.check('http://public.example/')).toMatchObject({ verdict: 'no_certificate' });
  expect(service.dials).toEqual([`public.example ${PUBLIC_ADDRESS}:80`]);
  expectNoLeak();
});

it('no private address is dialled when requested directly', async () => {
  const dialled = service.dials.length;
  // relative ones are not complete addresses, and are rejected, too
  expect(await notRefused(forbiddenTargets(canaries.port))).toEqual([]);
  expect(service.dials.length).toBe(dialled);
  expectNoLeak();
});

it.each(STATUSES)('no private address is dialled after a redirect with status %i', async (status) => {
  const dialled = service.dials.length;
  const targets = forbiddenTargets(canaries.port);
  const redirects = targets.map((target) => redirectTo(target, status));
  expect(await notRefused(redirects)).toEqual([]);
  expect(service.dials.length).toBe(dialled + targets.length);
  expectNoLeak();
});

it('nor is one at the end of a chain of redirects', async () => {
  const targets = [`http://127.0.0.1:${canaries.port}/`, 'http://169.254.169.254/', 'file:///etc/passwd'];
  expect(
    await notRefused(targets.map((target) => redirectTo(redirectTo(redirectTo(redirectTo(target)))))),
  ).toEqual([]);
  expectNoLeak();
});

it('a name that resolves differently from one lookup to the next never leads to a private address', async () => {
  const seen = new Set<string>();
  for (let n = 0; n < 100; n += 1) {
    const again = `http://rebinding.example:${canaries.port}/302?to=${encodeURIComponent(`/page?${n}`)}`;
    const report = await service.check(
      n % 2 === 0 ? `http://rebinding.example:${canaries.port}/${n}` : again,
    );
    checks += 1;
    seen.add(`${report.verdict} ${report.code}`);
  }
  expect([...seen].toSorted()).toEqual(['no_certificate ', 'page_fetch_failed address_blocked']);
  expectNoLeak();
});

it('a host of FETCH_CONNECT_TO grants access to its own address only', async () => {
  const exempt = await openGuardedService({
    settings: {
      TOUCHSTONE_FETCH_PORTS: `80,443,${canaries.port}`,
      TOUCHSTONE_FETCH_CONNECT_TO: `public.example=127.0.0.1:${internet.port}`,
    },
    resolve: lookUp,
    publicAddresses: [PUBLIC_ADDRESS],
    internetPort: internet.port,
    exemptPorts: [internet.port],
    canaryPort: canaries.port,
  });
  try {
    const targets = forbiddenTargets(canaries.port).filter((target) => !target.includes('//public.example:'));
    const redirects = targets.map((target) => redirectTo(target));
    expect(await notRefused(redirects, exempt)).toEqual([]);
    expect(new Set(exempt.dials)).toEqual(new Set([`public.example 127.0.0.1:${internet.port}`]));
    expectNoLeak();
  } finally {
    await exempt.close();
  }
});
