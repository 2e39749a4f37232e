import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createTree,
  encodeLeaf,
  encodeTilePath,
  leafHash,
  newTiles,
  parseCheckpoint,
  parseNote,
  TILE_WIDTH,
  type Tile,
} from '@touchstone/certificate/log';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFolderBlobs } from '../../packages/server/src/core/images/blobs/folder-blobs.ts';
import { sha256 } from '../../packages/server/src/parts/transparency-log/sha256.ts';
import {
  type KilledNodeOptions,
  MOMENTS,
  VICTIMS,
} from '../../packages/server/src/parts/transparency-log/testing/killed-node.ts';
import { logPath, openLogNode } from '../../packages/server/src/parts/transparency-log/testing/log-node.ts';
import { SCHEMAS } from '../../packages/server/src/parts.ts';
import { type OpenDatabase, openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { migrate } from '../../packages/server/src/platform/database/migrate.ts';
import { useFolder } from '../kit/folder.ts';
import { type Random, seeded } from '../kit/random.ts';

/** Long form: 300 kills (CONTRIBUTING.md). */
const KILLS = Number(process.env.TOUCHSTONE_LOG_KILLS ?? 10);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
/** Milliseconds after which a node is killed from outside that has not reached its moment, or has not recovered. */
const LONGEST = 20_000;
/** Number of kills after which everything must have been killed, and at every moment, whatever the seed. */
const ENOUGH = 100;

const SCRIPT = fileURLToPath(
  new URL('../../packages/server/src/parts/transparency-log/testing/killed-node.ts', import.meta.url),
);
const masterKey = randomBytes(32);
const folder = useFolder('transparency-log-kill');
const files = join(folder, 'blobs');
let server: EmbeddedPostgres;
let database: OpenDatabase;

/** Proofs of which a node has said that they may be published. */
const published = new Set<string>();
const begun = new Set<string>();
/** The roots of all checkpoints that were seen, by size. */
const seen = new Map<number, Set<string>>();
/** Files that were not there, or not whole, while a checkpoint over them was. */
const missing: string[] = [];
const killed = new Map<string, number>();
const count = (what: string) => killed.set(what, (killed.get(what) ?? 0) + 1);

beforeAll(async () => {
  // one of its own, as durable as in production: what is acknowledged must survive
  server = await startEmbeddedPostgres({ folder: join(folder, 'database'), name: 'touchstone' });
  await migrate(server.connection, SCHEMAS);
  database = openDatabase({ connection: server.connection, max: 3, applicationName: 'touchstone test' });
});
afterAll(async () => {
  await database?.close();
  await server?.close();
});

/** Repeats a statement until the database is back. */
async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  for (const end = performance.now() + 120_000; ; await delay(50)) {
    try {
      return (await database.pool.query<Row>(sql)).rows;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/** Looks at the published checkpoint, and at the files that it needs and that the last one did not. */
async function lookAtCheckpoint(checked: number): Promise<number> {
  const text = await readFile(logPath(files, 'checkpoint'), 'utf8').catch(() => null);
  const note = text === null ? null : parseNote(text);
  if (note === null) return checked;
  if (typeof note === 'string') throw new Error(`a checkpoint is torn: ${note}`);
  const checkpoint = parseCheckpoint(note.text);
  if (typeof checkpoint === 'string') throw new Error(checkpoint);
  const { size, root } = checkpoint;
  const roots = seen.get(size) ?? new Set();
  seen.set(size, roots.add(Buffer.from(root).toString('hex')));
  for (const tile of newTiles(Math.min(checked, size), size)) {
    if (!(await isWhole(tile))) missing.push(`${encodeTilePath(tile)} of ${size}`);
    const entries = { ...tile, level: 'entries' as const };
    if (tile.level === 0 && !(await isWhole(entries))) missing.push(`${encodeTilePath(entries)} of ${size}`);
  }
  return size;
}

/** Whether a file is there; a partial tile may have been removed once there is the full one. */
async function isWhole(tile: Tile): Promise<boolean> {
  for (const width of [tile.width, TILE_WIDTH]) {
    const found = await stat(logPath(files, encodeTilePath({ ...tile, width }))).catch(() => null);
    if (found !== null && (tile.level === 'entries' ? found.size > width : found.size === width * 32))
      return true;
  }
  return false;
}

/** Starts a node that ends by a kill. */
async function killOne(random: Random): Promise<void> {
  await query('select');
  const moment = random.of(MOMENTS);
  const victim = random.of(VICTIMS);
  const options: KilledNodeOptions = {
    connection: server.connection,
    cluster: join(folder, 'database', 'postgres'),
    masterKey: masterKey.toString('hex'),
    folder: files,
    victim,
    moment,
    after: random.integer(moment === 'any' ? 1_500 : 12),
    part: random.number(),
    failWrites: 5 + random.integer(40),
    batches: Array.from({ length: 20 }, () => 1 + random.integer(60)),
  };
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let isKilled = false;
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
  createInterface(child.stdout).on('line', (line) => {
    const [word, jwt = ''] = line.split(' ');
    if (word === 'begun' || word === 'published')
      (word === 'published' ? published : begun).add(createHash('sha256').update(jwt).digest('base64url'));
    else isKilled = true;
    // as when the database ends: every statement in progress is lost, its commit unknown
    if (word === 'connections')
      void query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'touchstone'",
      );
  });
  const timer = setTimeout(() => {
    count(isKilled ? 'not recovered in time' : 'moment not reached');
    child.kill('SIGKILL');
  }, LONGEST);
  const [code] = await exit;
  clearTimeout(timer);
  // the other node has killed the database while this one started
  if (code !== null && /database_unavailable/.test(complaint)) return killOne(random);
  if (code !== null) throw new Error(complaint);
  if (!isKilled) return;
  count(victim);
  count(moment);
}

it(`${KILLS} kills of two nodes, PostgreSQL and both, at every step and within writes: no fork, no hole, no leaf twice, no checkpoint over missing tiles`, {
  timeout: 240_000 + KILLS * 20_000,
}, async () => {
  let left = KILLS;
  const stop = new AbortController();
  const looking = (async () => {
    for (let checked = 0; !stop.signal.aborted; await delay(5)) checked = await lookAtCheckpoint(checked);
  })();
  const worker = async (random: Random) => {
    while (left > 0) {
      left -= 1;
      await killOne(random);
    }
  };
  await Promise.all([worker(seeded(SEED)), worker(seeded(SEED + 1))]);
  stop.abort();
  await looking;
  await query('select');
  const survivor = await openLogNode({ db: database.db, masterKey, folder: files });
  // what was published last is whole, before anybody continues
  await survivor.audit();
  await survivor.sequencer.run();
  await lookAtCheckpoint(0);
  await survivor.sequencer.close();
  const torn = await openFolderBlobs(files).purge(new Date());
  const log = await survivor.audit();

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
  expect(missing, 'no checkpoint over missing tiles').toEqual([]);
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
  const [counts] = await query<{ holes: number }>(
    'select (max(index) + 1 - count(*))::int as holes from log_leaves where index is not null',
  );
  expect(counts?.holes).toBe(0);
  const recoveries = (await readFile(join(folder, 'database', 'postgres.log'), 'utf8')).match(
    /automatic recovery in progress/g,
  );
  if (KILLS >= ENOUGH) {
    expect([...VICTIMS, ...MOMENTS].filter((what) => !killed.has(what))).toEqual([]);
    expect([recoveries?.length, torn].every((times = 0) => times > 0)).toBe(true);
  }
  process.stdout.write(
    `seed ${SEED}: ${KILLS} kills (${[...killed].map(([what, times]) => `${what} ${times}`).join(', ')}; ${recoveries?.length ?? 0} recoveries of PostgreSQL, ${torn} incomplete files), ${log.size} leaves, ${published.size} published, ${seen.size} checkpoints seen\n`,
  );
});
