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
import { seeded } from '../kit/random.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { addLiveProofs, type LiveProof } from './support/live-proofs.ts';

/** Long form: 50 kills, 1,000,000 proofs (CONTRIBUTING.md). */
const KILLS = Number(process.env.TOUCHSTONE_WITHDRAWAL_KILLS ?? 2);
const LIVE = Number(process.env.TOUCHSTONE_WITHDRAWAL_PROOFS ?? 20_000);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
const WITHDRAWALS = 1_000;
/** Withdrawals at a time. */
const CONCURRENT = 8;
/** Milliseconds between two looks at a list. */
const LOOK = 50;
/** Timeout of a start in milliseconds, on a busy machine. */
const READY = 300_000;
const BASE_URL = 'https://certificates.example';

/** A node, with what its lists were seen to say. */
interface Node {
  readonly number: number;
  process: ServeProcess;
  /** When it answered again after its last start; infinite while it is killed. */
  readyAt: number;
  /** When each withdrawn proof was first seen as invalid, by its place among the proofs. */
  readonly seen: Map<number, number>;
  /** Longest milliseconds between two looks while it was there: what of the times is this machine's. */
  unseen: number;
  /** Proofs that were invalid, and are not any more. */
  readonly cameBack: number[];
}

const random = seeded(SEED);
const folder = useFolder('withdrawals-kill');
const masterKey = randomBytes(32);
const nodes: Node[] = [];
let database: TestDatabase;
let proofs: readonly LiveProof[];
/** Milliseconds that it took to make the proofs. */
let made: number;
let keySet: ReturnType<typeof createKeySet>;
const stop = new AbortController();

beforeAll(async () => {
  database = await testDatabase();
  await writeFile(join(folder, 'master.key'), masterKey.toString('hex'), { mode: 0o600 });
  for (const number of [1, 2]) {
    const process = await serve(await freePort(), number);
    nodes.push({ number, process, readyAt: performance.now(), seen: new Map(), unseen: 0, cameBack: [] });
  }
  const keys = await fetch(`${urlOf(0)}/api/v1/.well-known/status-list-jwks.json`);
  keySet = createKeySet(await keys.json());
  const began = performance.now();
  proofs = await addProofs();
  made = performance.now() - began;
}, READY + LIVE);
afterAll(async () => {
  stop.abort();
  await Promise.all(nodes.map(({ process }) => process.stop()));
  await database?.close();
});

const urlOf = (nth: number) => nodes[nth]?.process.url ?? '';

async function serve(port: number, number: number): Promise<ServeProcess> {
  const process = spawnServe({
    port,
    dataDir: join(folder, `node-${number}`),
    env: {
      TOUCHSTONE_BASE_URL: BASE_URL,
      TOUCHSTONE_DATABASE_URL: databaseUrl(database),
      TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
      TOUCHSTONE_BLOBS: join(folder, 'blobs'),
      TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
      TOUCHSTONE_SWEEPS: 'false',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
    },
  });
  await untilReady(process, READY);
  return process;
}

async function call(nth: number, method: string, path: string, body?: unknown): Promise<Response> {
  const key = nodes[0]?.process.operatorKey ?? '';
  return fetch(`${urlOf(nth)}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
}

async function addProofs(): Promise<LiveProof[]> {
  const created = async (path: string, body: unknown) =>
    ((await (await call(0, 'POST', path, body)).json()) as { id: string }).id;
  const merchantId = await created('/merchants', { name: 'M', planCapacity: LIVE });
  const storeId = await created('/stores', { merchantId, name: 'Shop', url: 'https://shop.example/' });
  return addLiveProofs({ database, masterKey, baseUrl: BASE_URL, merchantId, storeId }, LIVE);
}

/** Looks at the lists of a node as a verifier does, without pause. */
async function look(node: Node, withdrawn: readonly LiveProof[]): Promise<void> {
  const lists = [...new Set(proofs.map(({ list }) => list))];
  const known = new Map<number, string>();
  let lastAt = performance.now();
  while (!stop.signal.aborted) {
    for (const list of lists) {
      const uri = `/api/v1/mc4p/status/${list}`;
      const token = await fetch(node.process.url + uri, { signal: AbortSignal.timeout(5_000) })
        .then((response) => (response.status === 200 ? response.text() : null))
        .catch(() => null);
      const now = performance.now();
      if (token !== null && lastAt >= node.readyAt) node.unseen = Math.max(node.unseen, now - lastAt);
      if (token !== null) lastAt = now;
      if (token === null || token === known.get(list)) continue;
      const read = await readStatusList(token, { keySet, uri: BASE_URL + uri, now: new Date() });
      if (typeof read === 'string') throw new Error(`node ${node.number}: ${read}`);
      known.set(list, token);
      const at = performance.now();
      for (const [nth, proof] of withdrawn.entries()) {
        if (proof.list !== list) continue;
        const isInvalid = entryAt(read.entries, proof.index) === 1;
        if (isInvalid && !node.seen.has(nth)) node.seen.set(nth, at);
        if (!isInvalid && node.seen.has(nth)) node.cameBack.push(nth);
      }
    }
    await delay(LOOK);
  }
}

/** Kills a node and starts it again on the same folder and port. */
async function killAndStart(node: Node): Promise<void> {
  node.readyAt = Number.POSITIVE_INFINITY;
  const port = Number(new URL(node.process.url).port);
  node.process.kill('SIGKILL');
  await node.process.ended;
  node.process = await serve(port, node.number);
  node.readyAt = performance.now();
}

it(
  `1,000 withdrawals on two nodes, of which one is killed ${KILLS} times: none is lost or comes back (TOUCHSTONE_STRESS_SEED=${SEED})`,
  async () => {
    const withdrawn = proofs
      .filter((_, nth) => nth % Math.floor(LIVE / WITHDRAWALS) === 0)
      .slice(0, WITHDRAWALS);
    const answered = new Map<number, number>();
    const looking = nodes.map((node) => look(node, withdrawn));
    const starts = new Map<Node, number[]>(nodes.map((node) => [node, []]));
    let next = 0;
    const withdrawNext = async () => {
      for (let nth = next++; nth < withdrawn.length; nth = next++) {
        for (let on = nth % 2; ; on = 1 - on) {
          const path = `/products/${withdrawn[nth]?.productId}`;
          const status = await call(on, 'DELETE', path).then(
            (response) => response.status,
            () => 0,
          );
          // a lost answer may have been a success
          if ([200, 204, 404].includes(status)) break;
          await delay(20);
        }
        answered.set(nth, performance.now());
        await delay(20);
      }
    };
    const killing = (async () => {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        while (answered.size < (kill / (KILLS + 1)) * withdrawn.length) await delay(10);
        await delay(random.number() * 500);
        const node = nodes[kill % 2] as Node;
        await killAndStart(node);
        starts.get(node)?.push(node.readyAt);
      }
    })();
    await Promise.all([killing, ...Array.from({ length: CONCURRENT }, withdrawNext)]);
    const isSeen = () => nodes.every(({ seen }) => seen.size === withdrawn.length);
    for (let waited = 0; waited < 60_000 && !isSeen(); waited += 100) await delay(100);
    stop.abort();
    await Promise.all(looking);
    for (const node of nodes) {
      const lost = withdrawn.filter((_, nth) => !node.seen.has(nth));
      expect({ node: node.number, lost, cameBack: node.cameBack }).toEqual({
        node: node.number,
        lost: [],
        cameBack: [],
      });
    }
    // a node that was killed shows what it can from its start on
    const times = nodes.flatMap((node) =>
      Array.from(node.seen, ([nth, at]) => {
        const start = starts.get(node)?.findLast((time) => time <= at) ?? 0;
        return Math.max(0, at - Math.max(answered.get(nth) ?? at, start));
      }),
    );
    times.sort((a, b) => a - b);
    const quantile = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    const [size] = await database.query<{ bytes: number; lists: number }>(
      `select (pg_total_relation_size('status_list_allocations') + pg_total_relation_size('status_list_tokens'))::int as bytes,
         (select count(*) from status_list_allocations)::int as lists`,
    );
    console.info(
      JSON.stringify({
        'live proofs': LIVE,
        'made in (s)': Math.round(made / 1000),
        kills: KILLS,
        'longest between two looks (ms)': Math.round(Math.max(...nodes.map(({ unseen }) => unseen))),
        'answer to served list (ms)': {
          median: quantile(0.5),
          p99: quantile(0.99),
          longest: quantile(0.9999),
        },
        ...size,
      }),
    );
  },
  KILLS * 60_000 + 240_000,
);
