import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeySet } from '@touchstone/certificate';
import { entryAt, readStatusList } from '@touchstone/certificate/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { databaseUrl } from '../../packages/server/src/testing.ts';
import { useFolder } from '../kit/folder.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { addLiveProofs, type LiveProof } from './support/live-proofs.ts';

/** Long form: 1,000,000 (CONTRIBUTING.md). */
const LIVE = Number(process.env.TOUCHSTONE_WITHDRAWAL_PROOFS ?? 60_000);
/** Products of another merchant, which are withdrawn one after another meanwhile. */
const OTHERS = 100;
/** Timeouts in milliseconds, on a busy machine. */
const READY = 300_000;
const SHOWN = 600_000;
const BASE_URL = 'https://certificates.example';

const folder = useFolder('withdrawals-large');
const masterKey = randomBytes(32);
let database: TestDatabase;
let service: ServeProcess;
let keySet: ReturnType<typeof createKeySet>;
let large: { readonly merchantId: string; readonly proofs: readonly LiveProof[] };
let small: readonly LiveProof[];

beforeAll(async () => {
  database = await testDatabase();
  await writeFile(join(folder, 'master.key'), masterKey.toString('hex'), { mode: 0o600 });
  service = spawnServe({
    port: await freePort(),
    dataDir: join(folder, 'node'),
    env: {
      TOUCHSTONE_BASE_URL: BASE_URL,
      TOUCHSTONE_DATABASE_URL: databaseUrl(database),
      TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
      TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
      TOUCHSTONE_SWEEPS: 'false',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
    },
  });
  await untilReady(service, READY);
  keySet = createKeySet(
    await (await fetch(`${service.url}/api/v1/.well-known/status-list-jwks.json`)).json(),
  );
  large = await addMerchant('large.example', LIVE);
  small = (await addMerchant('small.example', OTHERS)).proofs;
}, READY + LIVE);
afterAll(async () => {
  await service?.stop();
  await database?.close();
});

async function call(method: string, path: string, body?: unknown): Promise<{ readonly id: string }> {
  const response = await fetch(`${service.url}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? {} : await response.json()) as { id: string };
}

async function addMerchant(host: string, count: number) {
  const { id: merchantId } = await call('POST', '/merchants', { name: host, planCapacity: count });
  const { id: storeId } = await call('POST', '/stores', { merchantId, name: host, url: `https://${host}/` });
  const owner = { database, masterKey, baseUrl: BASE_URL, merchantId, storeId };
  return { merchantId, proofs: await addLiveProofs(owner, count) };
}

/** How many of these entries have the value, as a verifier reads the lists that are served. */
async function countServed(proofs: readonly LiveProof[], value: number): Promise<number> {
  let found = 0;
  for (const [list, some] of Map.groupBy(proofs, (proof) => proof.list)) {
    const path = `/api/v1/mc4p/status/${list}`;
    const token = await (await fetch(service.url + path)).text();
    const read = await readStatusList(token, { keySet, uri: BASE_URL + path, now: new Date() });
    if (typeof read === 'string') throw new Error(read);
    for (const { index } of some) if (entryAt(read.entries, index) === value) found += 1;
  }
  return found;
}

/** Milliseconds until all of them are served with the value. */
async function untilServed(proofs: readonly LiveProof[], value: number): Promise<number> {
  const began = performance.now();
  while ((await countServed(proofs, value)) < proofs.length) {
    if (performance.now() - began > SHOWN) throw new Error(`not served within ${SHOWN} ms`);
    await delay(50);
  }
  return performance.now() - began;
}

it(
  `the pause of a merchant with ${LIVE} proofs is served whole and ends whole, and withdrawals of others do not wait for it`,
  async () => {
    const figures: Record<string, number> = {};
    const others: number[] = [];
    const next = small.values();
    const withdrawOthers = async (until: AbortSignal) => {
      while (!until.aborted) {
        const proof = next.next().value;
        if (proof === undefined) return;
        await call('DELETE', `/products/${proof.productId}`);
        others.push(await untilServed([proof], 1));
      }
    };
    /** Whether the change was still under way when the other was served. */
    let overtook = 0;
    const change = async (name: string, paused: boolean, value: number) => {
      const done = new AbortController();
      await call('PATCH', `/merchants/${large.merchantId}`, { paused });
      const withdrawing = withdrawOthers(done.signal);
      const first = others.length;
      figures[name] = Math.round(await untilServed(large.proofs, value));
      overtook += others.length - first;
      done.abort();
      await withdrawing;
    };
    await change('pause (ms)', true, 2);
    await change('end of the pause (ms)', false, 0);
    expect(await countServed(large.proofs, 0)).toBe(LIVE);
    others.sort((a, b) => a - b);
    expect(await countServed(small, 1)).toBe(others.length);
    console.info(
      JSON.stringify({
        'live proofs': LIVE,
        ...figures,
        'withdrawals of others meanwhile': overtook,
        'these (ms)': {
          median: Math.round(others[others.length >> 1] ?? 0),
          longest: Math.round(others.at(-1) ?? 0),
        },
      }),
    );
  },
  2 * SHOWN,
);
