import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTree, encodeLeaf, leafHash, parseCheckpoint, parseNote } from '@touchstone/certificate/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sha256 } from '../../packages/server/src/parts/transparency-log/sha256.ts';
import { logPath, openLogNode } from '../../packages/server/src/parts/transparency-log/testing/log-node.ts';
import { type TestDatabase, testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { useFolder } from '../kit/folder.ts';
import { seeded } from '../kit/random.ts';

/** Long form: 300 kills (CONTRIBUTING.md). */
const KILLS = Number(process.env.TOUCHSTONE_LOG_KILLS ?? 16);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
const STEPS = ['assigned', 'tiles', 'checkpoint', 'recorded', 'write', 'connections'] as const;
/** Milliseconds after which a node is killed that has not reached its step. */
const LONGEST = 8_000;

const SCRIPT = fileURLToPath(
  new URL('../../packages/server/src/parts/transparency-log/testing/killed-node.ts', import.meta.url),
);
const random = seeded(SEED);
const masterKey = randomBytes(32);
const folder = useFolder('transparency-log-kill');
let database: TestDatabase;

/** Proofs of which a node has said that they may be published. */
const published = new Set<string>();
const begun = new Set<string>();
/** The roots of all checkpoints that were seen, by size. */
const seen = new Map<number, Set<string>>();
const killed = new Map<string, number>();

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function lookAtCheckpoint(): Promise<void> {
  const text = await readFile(logPath(folder, 'checkpoint'), 'utf8').catch(() => null);
  const note = text === null ? null : parseNote(text);
  if (note === null || typeof note === 'string') return;
  const checkpoint = parseCheckpoint(note.text);
  if (typeof checkpoint === 'string') throw new Error(checkpoint);
  const roots = seen.get(checkpoint.size) ?? new Set();
  seen.set(checkpoint.size, roots.add(Buffer.from(checkpoint.root).toString('hex')));
}

/** Starts a node that ends by a kill. */
async function killOne(): Promise<void> {
  const step = random.of(STEPS);
  const options = {
    connection: database.connection,
    masterKey: masterKey.toString('hex'),
    folder,
    killAt: { step, after: random.integer(12) },
    failWrites: 5 + random.integer(40),
  };
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  createInterface(child.stdout).on('line', (line) => {
    const [word, jwt = ''] = line.split(' ');
    (word === 'published' ? published : begun).add(createHash('sha256').update(jwt).digest('base64url'));
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), step === 'connections' ? 3_000 : LONGEST);
  if (step === 'connections') {
    await delay(1_500 + random.integer(1_000));
    // as when the database ends: every statement in progress is lost, its commit unknown
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'touchstone'",
    );
  }
  await exit;
  clearTimeout(timer);
  killed.set(step, (killed.get(step) ?? 0) + 1);
}

it(`${KILLS} kills of two nodes at every step, with writes that fail: no fork, no hole, no leaf twice, no checkpoint over missing tiles`, {
  timeout: 120_000 + KILLS * 12_000,
}, async () => {
  let left = KILLS;
  const stop = new AbortController();
  const looking = (async () => {
    while (!stop.signal.aborted) {
      await lookAtCheckpoint();
      await delay(5);
    }
  })();
  const audits: number[] = [];
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await killOne();
    }
  };
  await Promise.all([worker(), worker()]);
  stop.abort();
  await looking;
  const survivor = await openLogNode({ db: database.db, masterKey, folder });
  // what was published last is whole, before anybody continues
  audits.push((await survivor.audit()).size);
  await survivor.sequencer.run();
  await lookAtCheckpoint();
  const log = await survivor.audit();
  await survivor.sequencer.close();

  const proofs = log.leaves.map(({ proof }) => proof);
  const logged = new Set(proofs);
  expect(logged.size, 'no leaf twice').toBe(proofs.length);
  expect(
    [...published].filter((proof) => !logged.has(proof)),
    'no published proof is missing',
  ).toEqual([]);
  expect(
    proofs.filter((proof) => !begun.has(proof)),
    'nothing else is logged',
  ).toEqual([]);
  const forks: number[] = [];
  const tree = createTree(sha256);
  const check = () => {
    const roots = seen.get(tree.size);
    if (roots === undefined) return;
    if (roots.size !== 1 || !roots.has(Buffer.from(tree.root()).toString('hex'))) forks.push(tree.size);
  };
  check();
  for (const leaf of log.leaves) {
    tree.append(leafHash(encodeLeaf(leaf), sha256));
    check();
  }
  expect(forks, 'every checkpoint that was seen is one of this tree').toEqual([]);
  expect(Math.max(...seen.keys())).toBeLessThanOrEqual(log.size);
  const [counts] = await database.query<{ holes: number }>(
    'select (max(index) + 1 - count(*))::int as holes from log_leaves where index is not null',
  );
  expect(counts?.holes).toBe(0);
  process.stdout.write(
    `seed ${SEED}: ${KILLS} kills (${[...killed].map(([step, count]) => `${step} ${count}`).join(', ')}), ${log.size} leaves, ${published.size} published, ${seen.size} checkpoints seen\n`,
  );
});
