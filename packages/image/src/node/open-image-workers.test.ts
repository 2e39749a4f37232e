import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PATIENT } from '../../../../test/kit/patience.ts';
import { type ImageWorkerOptions, type ImageWorkers, openImageWorkers } from './open-image-workers.ts';

const TRUST = { name: 'nobody', date: '2026-11-21', anchorsPem: '' };
const create = (side: number) =>
  ({ create: { width: side, height: side, channels: 3, background: '#c81' } }) as const;
const PICTURE = await sharp(create(40)).png().toBuffer();
/** An image of a few hundred bytes that takes half a gigabyte to decode. */
const HEAVY = await sharp(create(5_000)).avif({ effort: 0 }).toBuffer();

let workers: ImageWorkers | undefined;
afterEach(async () => {
  await workers?.close();
  workers = undefined;
});

function open(options: Partial<ImageWorkerOptions> = {}): ImageWorkers {
  workers = openImageWorkers({ processes: 1, memoryMb: 700, timeoutMs: 60_000, trust: TRUST, ...options });
  return workers;
}

/** Code of the fault, or `opened`. */
const end = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: { code: string }) => error.code,
  );

describe('an image that takes too much', () => {
  it('memory affects no other', async () => {
    const { inspect } = open({ memoryMb: 230 });
    const ends = await Promise.all([PICTURE, HEAVY, PICTURE].map((bytes) => end(inspect(bytes))));
    expect(ends).toEqual(['opened', 'worker_died', 'opened']);
  });

  it('time affects no other', async () => {
    const slow = await sharp(create(9_000)).avif({ effort: 0 }).toBuffer();
    const { inspect } = open({ timeoutMs: 5_000, memoryMb: 2_000 });
    expect(await end(inspect(PICTURE))).toBe('opened');
    expect(await end(inspect(slow))).toBe('timed_out');
    expect(await end(inspect(PICTURE))).toBe('opened');
  });

  it.skipIf(process.platform !== 'linux')(
    'time, because the machine does something else, is opened',
    async () => {
      const { inspect } = open({ timeoutMs: 3_000 });
      const others = new Set(childIds());
      await inspect(PICTURE);
      const [opener = 0] = childIds().filter((id) => !others.has(id));
      process.kill(opener, 'SIGSTOP');
      const opening = end(inspect(PICTURE));
      await setTimeout(3_500);
      process.kill(opener, 'SIGCONT');
      expect(await opening).toBe('opened');
      expect(childIds()).toContain(opener);
    },
  );
});

it('a file whose pixels cannot be decoded keeps its other facts, and gets no code of a partial image', async () => {
  const truncated = (await sharp(create(400)).jpeg().toBuffer()).subarray(0, 700);
  const inspection = await open().inspect(truncated);
  expect(inspection).toMatchObject({
    header: { mediaType: 'image/jpeg', width: 400 },
    manifest: { valid: false },
  });
  expect(inspection).not.toHaveProperty('phash');
});

it('an image is hashed upright, however it is stored', async () => {
  const { inspect } = open();
  const svg = Buffer.from('<svg width="90" height="60"><path d="M0 0h90L20 50z" fill="red"/></svg>');
  const upright = sharp(svg).flatten({ background: 'white' });
  const turned = await upright.clone().rotate(90).withMetadata({ orientation: 8 }).png().toBuffer();
  expect((await inspect(turned)).phash).toBe((await inspect(await upright.png().toBuffer())).phash);
});

describe('the queue', () => {
  it('is bounded: an image is refused at once when it is full', async () => {
    const { inspect } = open({ waiting: 2 });
    const ends = await Promise.all(Array.from({ length: 5 }, () => end(inspect(PICTURE))));
    expect(ends.toSorted()).toEqual(['opened', 'opened', 'opened', 'overloaded', 'overloaded']);
  });

  it('ends with everything else on closing', async () => {
    const before = children();
    const closing = open({ processes: 2 });
    await Promise.all([closing.inspect(PICTURE), closing.inspect(PICTURE)]);
    expect(children() - before).toBe(2);
    const waiting = [HEAVY, HEAVY, PICTURE].map((bytes) => end(closing.inspect(bytes)));
    await closing.close();
    expect(await Promise.all(waiting)).toEqual(['closed', 'closed', 'closed']);
    // the pipe of a process closes a moment after the process has ended
    await vi.waitFor(() => expect(children()).toBe(before), PATIENT);
    expect(await end(closing.inspect(PICTURE))).toBe('closed');
  });
});

/** Processes of this one, as Linux knows them. */
function childIds(): number[] {
  const tasks = readdirSync('/proc/self/task');
  return tasks.flatMap((task) =>
    (readFileSync(`/proc/self/task/${task}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
  );
}

/** Connected processes of this one; each has an open pipe. */
function children(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
}
