import { setTimeout as delay } from 'node:timers/promises';
import { createTrust, verifyProductCertificate } from '@touchstone/certificate';
import { type RunningService, readConfig, startService } from '@touchstone/server';
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { databaseUrl, testService } from '../../packages/server/src/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { headerOf, type Json } from '../kit/service.ts';

const BASE_URL = 'https://certificates.example';
/** Seconds that shops may be without a certificate at the most. */
const LONGEST = 20;
const SIGNING_KEYS = '/api/v1/registry/signing-keys';
const PAGE_URL = 'https://shop.example/p/cup';

/** Asks one node again and again: the longest time between two certificates that can be relied on, in milliseconds. */
function watch(node: RunningService, productId: string, revoked: ReadonlySet<string>) {
  const seen = { longest: 0, answers: 0, notReady: 0, kids: new Set<string>() };
  let isStopped = false;
  const asking = (async () => {
    for (let good = performance.now(); !isStopped; await delay(20)) {
      const [certificate, ready] = await Promise.all(
        [`/api/v1/mc4p/products/${productId}/certificate`, '/readyz'].map((path) => fetch(node.url + path)),
      );
      seen.answers += 1;
      if (ready?.status !== 200) seen.notReady += 1;
      const kid = certificate?.status === 200 ? kidOf((await certificate.json()) as Json) : undefined;
      // a key counts as revoked from the call that revokes it
      if (kid === undefined || revoked.has(kid)) continue;
      seen.kids.add(kid);
      seen.longest = Math.max(seen.longest, performance.now() - good);
      good = performance.now();
    }
  })();
  const stop = () => {
    isStopped = true;
    return asking;
  };
  onTestFinished(stop);
  return { seen, stop };
}

/** The key of its proof, if it has one. */
function kidOf(certificate: Json): string | undefined {
  return 'proof' in certificate ? String(headerOf(certificate).kid) : undefined;
}

for (const nodes of [1, 2]) {
  const name = `revocation on a fresh service, twice within a minute, ${nodes} node(s): a certificate again within 20 s`;
  scenario(name, covers('KEYS-REVOKED', 'JWKS-LIFE'), async () => {
    const settings = { TOUCHSTONE_BASE_URL: BASE_URL, TOUCHSTONE_CERTIFICATES_AHEAD: 'true' };
    const first = await testService({ settings });
    onTestFinished(() => first.dispose());
    const services: RunningService[] = [first];
    if (nodes === 2) {
      const second = await startService(
        readConfig({
          ...settings,
          TOUCHSTONE_LOG_LEVEL: 'silent',
          TOUCHSTONE_PORT: '0',
          TOUCHSTONE_DATA_DIR: first.dataDir,
          TOUCHSTONE_DATABASE_URL: databaseUrl(first.database),
          TOUCHSTONE_IMAGE_CONCURRENT: '0',
          TOUCHSTONE_SWEEPS: 'false',
        }),
      );
      onTestFinished(() => second.close());
      services.push(second);
    }
    const make = (path: string, body: unknown, method = 'POST') =>
      first.operate(method, `/api/v1/registry${path}`, body) as Promise<Record<string, unknown>>;
    const { id: merchantId } = await make('/merchants', { name: 'M', planCapacity: 5 });
    const { id: storeId } = await make('/stores', { merchantId, name: 'S', url: 'https://shop.example' });
    const row = { externalProductId: 'cup', name: 'Cup', url: PAGE_URL };
    const { results } = (await make(`/stores/${storeId}/products`, [row], 'PUT')) as {
      results: { id: string }[];
    };
    const productId = results[0]?.id ?? '';

    // a verifier that read the keys before the first revocation
    const jwksUrl = `${services.at(-1)?.url}/api/v1/.well-known/jwks.json`;
    const trust = createTrust({ trustedIssuers: [BASE_URL], jwksUrl });
    const verified = async () => {
      const response = await fetch(`${first.url}/api/v1/mc4p/products/${productId}/certificate`);
      const question = { pageUrl: PAGE_URL, trust, now: new Date() };
      return (await verifyProductCertificate(await response.json(), question)).status;
    };
    expect(await verified()).toBe('verified');

    const activeKey = async () => {
      const { keys } = (await first.operate('GET', SIGNING_KEYS)) as {
        keys: { kid: string; purpose: string; state: string; certificates?: number }[];
      };
      return keys.find(({ purpose, state }) => purpose === 'proofs' && state === 'active');
    };
    const revoked = new Set<string>();
    const watched = services.map((node) => watch(node, productId, revoked));
    for (let revocation = 0; revocation < 2; revocation += 1) {
      await expect.poll(() => watched.every(({ seen }) => seen.kids.size > revocation)).toBe(true);
      const kid = (await activeKey())?.kid ?? '';
      revoked.add(kid);
      // asked of the last node, so that the others learn of it through the database
      // a key id may begin with -
      const words = [
        'keys',
        'signing',
        'revoke',
        '--now',
        '--service',
        services.at(-1)?.url ?? '',
        '--',
        kid,
      ];
      const ran = await runCli(words, { env: { TOUCHSTONE_KEY: first.operatorKey ?? '' } });
      expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/is revoked\. Key .+ signs now\./)]);
    }
    await expect.poll(() => watched.every(({ seen }) => seen.kids.size > 2)).toBe(true);
    expect(await verified()).toBe('verified');
    await Promise.all(watched.map(({ stop }) => stop()));
    // issued again in advance, too
    await expect.poll(async () => (await activeKey())?.certificates).toBe(1);
    const longest = Math.max(...watched.map(({ seen }) => seen.longest)) / 1000;
    console.info(
      `Revocation on a fresh service, twice within a minute, ${nodes} node(s): longest time without a certificate ${longest.toFixed(2)} s (${watched.map(({ seen }) => seen.answers).join(' + ')} answers)`,
    );
    expect(longest).toBeLessThan(LONGEST);
    expect(watched.map(({ seen }) => seen.notReady)).toEqual(watched.map(() => 0));
  });
}
