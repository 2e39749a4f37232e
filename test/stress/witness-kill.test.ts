import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  parseCheckpoint,
  parseNote,
  parseVkey,
  type Vkey,
  verifyNote,
} from '@touchstone/certificate/log';
import { afterAll, expect, it } from 'vitest';
import {
  type TestLog,
  testKey,
  testLeaf,
  testLog,
} from '../../packages/cli/src/parts/transparency-log/testing.ts';
import { originHash } from '../../packages/cli/src/parts/transparency-log/witness/witness-state.ts';
import { useFolder } from '../kit/folder.ts';
import { seeded } from '../kit/random.ts';

/** Long form: 300 (CONTRIBUTING.md). */
const KILLS = Number(process.env.TOUCHSTONE_WITNESS_KILLS ?? 10);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
const BIN = join(import.meta.dirname, '../../packages/cli/bin/touchstone.js');
const ORIGIN = 'log.example/2026';
/** Milliseconds within which the process is killed after the requests were sent. */
const WITHIN = 120;
/** Entries by which the tree may grow between two kills. */
const GROWTH = 40;

const folder = useFolder('witness-kill');
const random = seeded(SEED);
const witnesses: Witness[] = [];
afterAll(() => {
  for (const { process } of witnesses) process.kill('SIGKILL');
});

/** One of two processes that use the same folder. */
interface Witness {
  process: ChildProcess;
  url: string;
}

async function start(vkey: string): Promise<Witness> {
  const words = ['witness', 'run', '--folder', join(folder, 'w'), '--name', 'w.example/1', '--port', '0'];
  const argv = [BIN, ...words, '--log', vkey, '--rate', '1000', '--json'];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  for await (const piece of child.stdout) {
    out += String(piece);
    const url = /"url": "([^"]+)"/.exec(out)?.[1];
    if (url !== undefined && out.endsWith('}\n')) return { process: child, url };
  }
  throw new Error(`The witness did not start: ${out}`);
}

/** A tree that one of the racing requests is about, and what was cosigned of it. */
interface Branch {
  readonly log: TestLog;
  readonly entries: readonly Uint8Array[];
  readonly cosigned: number[];
}

it(`${KILLS} kills and racing requests: two processes on one folder never cosign contradicting trees, or a smaller one (seed ${SEED})`, async () => {
  const key = await testKey(ORIGIN);
  witnesses.push(await start(key.vkey));
  witnesses.push(await start(key.vkey));
  const made = await once(
    spawn(process.execPath, [BIN, 'witness', 'key', '--folder', join(folder, 'w')]).stdout,
    'data',
  );
  const own = await parseVkey(String(made[0]).trim());
  if (own === null) throw new Error(String(made[0]));
  let base: readonly Uint8Array[] = [];
  let [rounds, answered, moved] = [0, 0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    rounds++;
    const branches = await Promise.all([0, 1].map((side) => branchOf(base, key, (2 * kill + side) * GROWTH)));
    const stopping = new AbortController();
    const clients = Array.from({ length: 6 }, async (_, at) => {
      const branch = branches[at % 2] as Branch;
      const witness = witnesses[at % 3 === 0 ? 0 : 1] as Witness;
      answered += await extend(branch, witness.url, base.length, own, stopping.signal);
    });
    const victim = random.integer(2);
    const { process: child } = witnesses[victim] as Witness;
    await delay(random.integer(WITHIN));
    child.kill('SIGKILL');
    await once(child, 'exit');
    stopping.abort();
    await Promise.all(clients);
    witnesses[victim] = await start(key.vkey);
    // both show the same, and nothing smaller or other than what has left
    const [head, other] = await Promise.all(witnesses.map(publishedBy));
    expect(other).toEqual(head);
    const cosigned = branches.filter((branch) => branch.cosigned.length > 0);
    expect(cosigned.length).toBeLessThan(2);
    for (const branch of cosigned) expect(head?.size).toBeGreaterThanOrEqual(Math.max(...branch.cosigned));
    if (head === undefined) continue;
    const after = [];
    for (const { log, entries } of branches) {
      const text = entries.length < head.size ? '' : await log.checkpoint(head.size);
      if (text.includes(Buffer.from(head.root).toString('base64'))) after.push(entries.slice(0, head.size));
    }
    if (head.size === base.length) continue;
    expect(after).toHaveLength(1);
    expect(head.size).toBeGreaterThan(base.length);
    for (const branch of cosigned) expect(branch.entries.slice(0, head.size)).toEqual(after[0]);
    base = after[0] ?? base;
    moved++;
  }
  console.log(`${rounds} kills: the tree grew in ${moved} rounds, ${answered} requests had a cosignature`);
  expect(moved).toBeGreaterThan(KILLS / 4);
});

/**
 * Asks for cosignatures of this tree, as a log does, until it is told to stop, or the tree has no more.
 *
 * @returns how many it got
 */
async function extend(
  { log, ...branch }: Branch,
  url: string,
  from: number,
  own: Vkey,
  stop: AbortSignal,
): Promise<number> {
  let [size, got] = [from, 0];
  while (!stop.aborted && size < branch.entries.length) {
    const next = size + 1 + random.integer(Math.min(3, branch.entries.length - size));
    const body = await log.request(size, next);
    const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => undefined,
    );
    if (answer?.status === 409 && Number(answer.text) <= branch.entries.length) size = Number(answer.text);
    else if (answer?.status === 200) {
      const note = parseNote(`${await log.checkpoint(next)}${answer.text}`);
      if (typeof note === 'string') throw new Error(note);
      expect(await verifyNote(note, [own])).toHaveLength(1);
      branch.cosigned.push(next);
      size = next;
      got++;
    } else return got;
  }
  return got;
}

/** A continuation of a tree that no other has. */
async function branchOf(
  base: readonly Uint8Array[],
  key: Awaited<ReturnType<typeof testKey>>,
  from: number,
): Promise<Branch> {
  const log = await testLog(ORIGIN, key);
  const entries = [...base, ...Array.from({ length: GROWTH }, (_, at) => testLeaf(1_000 + from + at))];
  log.append(...entries);
  return { log, entries, cosigned: [] };
}

async function publishedBy({ url }: Witness): Promise<Checkpoint | undefined> {
  const response = await fetch(`${url}/${originHash(ORIGIN)}/checkpoint`);
  if (response.status === 404) return undefined;
  const note = parseNote(await response.text());
  const checkpoint = typeof note === 'string' ? note : parseCheckpoint(note.text);
  if (typeof checkpoint === 'string') throw new Error(checkpoint);
  return checkpoint;
}
