/**
 * What a catalogue's size costs: every write and listing of the registry in a store of 1,000 products and in one of 1,000,000, alternating
 * within one run; and bulk changes, which are applied to products in batches, with the latency of another write of the same merchant
 * meanwhile.
 * `npm run bench:catalogue -- size [products of the large one] [--calls | --changes]`
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { REGISTRY_CHANGES } from '../../packages/server/src/core/registry/changes/make-change.ts';
import { runChanges } from '../../packages/server/src/core/registry/changes/run-changes.ts';
import { addDomain, removeDomain } from '../../packages/server/src/core/registry/domains/domains.ts';
import { patchMerchant } from '../../packages/server/src/core/registry/merchants/merchants.ts';
import { upsertProducts } from '../../packages/server/src/core/registry/products/upsert.ts';
import {
  createStore,
  deleteStore,
  patchStore,
} from '../../packages/server/src/core/registry/stores/stores.ts';
import { openJobQueue } from '../../packages/server/src/platform/jobs/job-queue.ts';
import { median } from '../kit/rounds.ts';
import { fill, type Shop } from './size/fill.ts';
import { openRegistry } from './size/open-registry.ts';
import { operations } from './size/operations.ts';

const SMALL = 1_000;
const LARGE = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const ROUNDS = 15;

const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const { registry, close } = await openRegistry(folder);
try {
  const small = await fill(registry, 'small', SMALL);
  const large = await fill(registry, 'large', LARGE);
  if (!process.argv.includes('--changes')) await compare(small, large);
  if (!process.argv.includes('--calls')) await follow(large);
} finally {
  await close();
  await rm(folder, { recursive: true, force: true });
}

async function compare(small: Shop, large: Shop): Promise<void> {
  console.log(
    `\n${'operation'.padEnd(44)}${`${SMALL}`.padStart(10)}${`${LARGE}`.padStart(10)}   ratio   (ms, median)`,
  );
  for (const { name, run } of operations(registry)) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = -3; round < ROUNDS; round += 1) {
      const turns = [
        [small, times.small],
        [large, times.large],
      ] as const;
      for (const [shop, taken] of round % 2 === 0 ? turns : turns.toReversed()) {
        const begun = performance.now();
        await run(shop, round + 3);
        if (round >= 0) taken.push(performance.now() - begun);
      }
    }
    const [few, many] = [median(times.small), median(times.large)];
    console.log(
      `${name.padEnd(44)}${few.toFixed(2).padStart(10)}${many.toFixed(2).padStart(10)}   ${(many / few).toFixed(2)}`,
    );
  }
}

async function follow(shop: Shop): Promise<void> {
  console.log(
    `\n${'change of all products'.padEnd(34)}answer ms     job s   µs each   CPU µs each   other writes: median, longest ms`,
  );
  const host = `second.${shop.host}`;
  await watched(shop, 'capacity to 0', () =>
    patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 0 }),
  );
  await watched(shop, 'capacity to all', () =>
    patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 2 * LARGE }),
  );
  await watched(shop, 'sign images', () => patchStore(registry, 'all', shop.storeId, { signImages: true }));
  await watched(shop, 'domain taken', () => removeDomain(registry, 'all', shop.storeId, host));
  await watched(shop, 'domain back', () => addDomain(registry, 'all', shop.storeId, { hostname: host }));
  await watched(shop, 'store deleted', () => deleteStore(registry, 'all', shop.storeId));
}

/** Runs a change with its job, while a product of another store of the merchant is written repeatedly. */
async function watched(shop: Shop, name: string, ask: () => Promise<unknown>): Promise<void> {
  const url = `https://beside-${shop.host}/${name.replaceAll(' ', '-')}/`;
  const beside = await createStore(registry, 'all', { merchantId: shop.merchantId, name: 'Beside', url });
  const waits: number[] = [];
  let isDone = false;
  const others = (async () => {
    for (let nth = 0; !isDone; nth += 1) {
      const begun = performance.now();
      await upsertProducts(registry, 'all', beside.id, [
        { externalProductId: String(nth), name: 'P', url: `${url}${nth}` },
      ]);
      waits.push(performance.now() - begun);
      await delay(50);
    }
  })();
  const before = await processorTime();
  const asked = performance.now();
  await ask();
  const answered = performance.now();
  const queue = openJobQueue({ db: registry.db, name: REGISTRY_CHANGES, perResource: 1 });
  for (const job of await queue.claim(1)) {
    await runChanges(job, { registry, queue }, new AbortController().signal);
  }
  const seconds = (performance.now() - answered) / 1_000;
  const spent = (await processorTime()) - before;
  isDone = true;
  await others;
  console.log(
    `${name.padEnd(34)}${(answered - asked).toFixed(1).padStart(9)}${seconds.toFixed(1).padStart(10)}` +
      `${((seconds * 1e6) / shop.count).toFixed(1).padStart(10)}${(spent / shop.count).toFixed(1).padStart(14)}${median(waits).toFixed(1).padStart(20)}${Math.max(
        ...waits,
      )
        .toFixed(0)
        .padStart(8)}`,
  );
}

/** Processor time of this process and of PostgreSQL, in microseconds: other load of the machine is not included. */
async function processorTime(): Promise<number> {
  const [pid] = (await readFile(join(folder, 'data/postgres/postmaster.pid'), 'latin1')).split('\n');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1');
  let microseconds = 0;
  for (const id of [process.pid, ...children.trim().split(' ')]) {
    for (const thread of await readdir(`/proc/${id}/task`).catch(() => [])) {
      const counted = await readFile(`/proc/${id}/task/${thread}/schedstat`, 'latin1').catch(() => '0');
      microseconds += Number.parseInt(counted, 10) / 1_000;
    }
  }
  return microseconds;
}
