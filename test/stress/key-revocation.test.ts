import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeySet } from '@touchstone/certificate';
import { readStatusList } from '@touchstone/certificate/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { type TestDatabase, testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { databaseUrl } from '../../packages/server/src/testing.ts';
import { useFolder } from '../kit/folder.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import type { Json } from '../kit/service.ts';
import { addLiveProofs, type LiveProof } from './support/live-proofs.ts';

/** Long form: 50 revocations, 1,000,000 proofs (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.TOUCHSTONE_REVOCATIONS ?? 5);
const LIVE = Number(process.env.TOUCHSTONE_WITHDRAWAL_PROOFS ?? 5_000);
/** Milliseconds between two looks at a list. */
const LOOK = 20;
/** Timeout of a start in milliseconds, on a busy machine. */
const READY = 300_000;
const BASE_URL = 'https://certificates.example';

const folder = useFolder('key-revocation');
const masterKey = randomBytes(32);
const nodes: ServeProcess[] = [];
let database: TestDatabase;
let proofs: readonly LiveProof[];
const stop = new AbortController();

beforeAll(async () => {
  database = await testDatabase();
  const keyFile = join(folder, 'master.key');
  await writeFile(keyFile, masterKey.toString('hex'), { mode: 0o600 });
  for (const number of [1, 2]) {
    const node = spawnServe({
      port: await freePort(),
      dataDir: join(folder, `node-${number}`),
      env: {
        TOUCHSTONE_BASE_URL: BASE_URL,
        TOUCHSTONE_DATABASE_URL: databaseUrl(database),
        TOUCHSTONE_MASTER_KEY_FILE: keyFile,
        TOUCHSTONE_BLOBS: join(folder, 'blobs'),
        TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
        TOUCHSTONE_SWEEPS: 'false',
        TOUCHSTONE_IMAGE_CONCURRENT: '0',
      },
    });
    nodes.push(node);
    await untilReady(node, READY);
  }
  const created = async (path: string, body: unknown) => String((await call('POST', path, body)).id);
  const merchantId = await created('/merchants', { name: 'M', planCapacity: LIVE });
  const storeId = await created('/stores', { merchantId, name: 'Shop', url: 'https://shop.example/' });
  proofs = await addLiveProofs({ database, masterKey, baseUrl: BASE_URL, merchantId, storeId }, LIVE);
}, READY + LIVE);
afterAll(async () => {
  stop.abort();
  await Promise.all(nodes.map((node) => node.stop()));
  await database?.close();
});

async function call(method: string, path: string, body?: unknown): Promise<Json> {
  const [node] = nodes;
  const response = await fetch(`${node?.url}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${node?.operatorKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as Json);
}

/** When every list that a node serves names the key. */
async function named(node: ServeProcess, kid: string, lists: readonly number[]): Promise<number> {
  const keys = async () =>
    createKeySet(await (await fetch(`${node.url}/api/v1/.well-known/status-list-jwks.json`)).json());
  const keySet = await keys();
  for (const list of lists)
    for (;;) {
      const path = `/api/v1/mc4p/status/${list}`;
      const token = await (await fetch(node.url + path)).text();
      const read = await readStatusList(token, { keySet, uri: BASE_URL + path, now: new Date() });
      if (typeof read === 'string') throw new Error(`${node.url}${path}: ${read}`);
      if (read.revokedKids.has(kid)) break;
      stop.signal.throwIfAborted();
      await delay(LOOK);
    }
  return performance.now();
}

/** Withdraws one product after another, as merchants do meanwhile. */
async function withdraw(): Promise<number> {
  for (const [nth, { productId }] of proofs.entries()) {
    if (stop.signal.aborted) return nth;
    await call('POST', `/products/${productId}/withdraw`, {});
    await delay(50);
  }
  return proofs.length;
}

it(
  `each list of both nodes names a revoked key within 5 s of the command, ${ROUNDS} times, beside ${LIVE} live proofs and withdrawals`,
  async () => {
    const [node] = nodes;
    const argv = ['--service', node?.url ?? '', '--key', node?.operatorKey ?? ''];
    const withdrawing = withdraw();
    const ofAnswer: number[] = [];
    const ofCommand: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { keys } = (await call('GET', '/signing-keys')) as { keys: Json[] };
      const key = keys.find(({ purpose, state }) => purpose === 'proofs' && state === 'active');
      const kid = String(key?.kid);
      const { lists } = (await call('GET', '/status-lists')) as { lists: { list: number }[] };
      const ids = lists.map(({ list }) => list);
      const begun = performance.now();
      const seen = Promise.all(nodes.map((each) => named(each, kid, ids)));
      const revoked = await runCli(['keys', 'signing', 'revoke', kid, '--now', ...argv]);
      const answered = performance.now();
      expect(revoked).toMatchObject({ code: 0 });
      const last = Math.max(...(await seen));
      ofAnswer.push(Math.max(0, last - answered));
      ofCommand.push(last - begun);
      // at any moment between two publishings
      await delay(Math.random() * 1_000);
    }
    stop.abort();
    const withdrawn = await withdrawing;
    const told = (times: readonly number[]) => {
      const sorted = times.map(Math.round).toSorted((a, b) => a - b);
      return { median: sorted[Math.floor(sorted.length / 2)], longest: sorted.at(-1) };
    };
    console.info(
      JSON.stringify({
        'live proofs': LIVE,
        revocations: ROUNDS,
        'withdrawals meanwhile': withdrawn,
        'command to served lists (ms)': told(ofCommand),
        'answer to served lists (ms)': told(ofAnswer),
      }),
    );
    expect(Math.max(...ofAnswer)).toBeLessThan(5_000);
  },
  ROUNDS * 30_000 + 120_000,
);
