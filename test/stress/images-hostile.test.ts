import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ImageFault, type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import { pictures } from '../images/pictures.ts';
import { seeded } from '../kit/random.ts';
import { children, opensImages, watchChildMemory } from './support/images/child-memory.ts';
import { hostileFiles } from './support/images/hostile-files.ts';
import { mutated } from './support/images/mutate.ts';

const MEMORY_MB = 600;
const SEED = 20_261_121;

let workers: ImageWorkers;
let sound: Buffer;
beforeAll(async () => {
  const trust = { name: 'nobody', date: '2026-11-21', anchorsPem: '' };
  workers = openImageWorkers({ processes: 2, memoryMb: MEMORY_MB, timeoutMs: 30_000, trust });
  sound = (await pictures())['image/png'];
});
afterAll(() => workers.close());

/** The result for a file: `told`, or the code of its fault. Any other error fails the test. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    await workers.inspect(bytes);
    return 'told';
  } catch (error) {
    if (error instanceof ImageFault) return error.code;
    throw error;
  }
}

describe('a hostile file', () => {
  it.each(hostileFiles())(
    '%s: is read or refused, and the next image is decoded',
    async (_name, file, expected) => {
      const watch = watchChildMemory();
      const came = await outcome(file);
      expect(watch.stop()).toBeLessThan(MEMORY_MB * 1_000_000 * 1.3);
      expect(came).toBe(expected ?? 'told');
      expect(await outcome(sound)).toBe('told');
    },
  );
});

it('400 mutated files fail only themselves, and take no memory beyond the limit', async () => {
  const random = seeded(SEED).integer;
  const signer = await developmentChain(new Date());
  const manifest = { title: 'x', claimGenerator: { name: 'x', version: '1' }, actions: [], assertions: [] };
  const plain = Object.values(await pictures());
  const signed = await Promise.all(plain.map((bytes) => workers.sign(bytes, manifest, signer)));
  const originals = [...plain, ...signed.map((bytes) => Buffer.from(bytes))];
  const watch = watchChildMemory();
  const came: Record<string, number> = {};
  for (let n = 0; n < 400; n += 8) {
    const files = Array.from({ length: 8 }, (_, i) =>
      mutated(originals[(n + i) % originals.length] ?? sound, random),
    );
    for (const end of await Promise.all([...files.map(outcome), outcome(sound)]))
      came[end] = (came[end] ?? 0) + 1;
  }
  expect(watch.stop()).toBeLessThan(MEMORY_MB * 1_000_000 * 1.3);
  expect(Object.keys(came).toSorted()).toEqual(['cut_off', 'not_an_image', 'told', 'too_many_pixels']);
  // all valid files, and most of the others
  expect(came.told).toBeGreaterThan(200);
});

it('a decoding process does not outlive the process that started it, if that is killed', async () => {
  const opener = fork(join(import.meta.dirname, 'support/images/opener-child.ts'));
  await once(opener, 'message');
  const [pid, ...others] = children(opener.pid ?? 0);
  expect([pid, others]).toEqual([expect.any(String), []]);
  opener.kill('SIGKILL');
  await once(opener, 'exit');
  // decoding alone would take longer
  for (let tries = 0; existsSync(`/proc/${pid}`) && tries < 30; tries += 1) await delay(100);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('decoding processes have a lower priority than the one that answers callers', async () => {
  await workers.inspect(sound);
  const opening = children().filter(opensImages);
  expect(opening.length).toBeGreaterThan(0);
  for (const pid of opening)
    expect(getPriority(Number(pid))).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL);
});
