import { expect, it } from 'vitest';
import { ImageFault } from '../inspect/fault.ts';
import type { ImageInspection } from '../inspect/inspect.ts';
import type { InspectedResponse as InspectedAnswer } from '../inspect/worker-protocol.ts';
import { retryInFreshProcess } from './fresh-process.ts';
import type { ImageProcess } from './image-process.ts';

const REQUEST = {
  kind: 'inspect',
  bytes: new Uint8Array(),
  trust: { name: '', date: '', anchorsPem: '' },
} as never;
const inspected = (side: number, pixelFinding?: ImageInspection['pixelFinding']): InspectedAnswer => ({
  kind: 'inspected',
  heldBytes: 0,
  inspection: {
    header: { mediaType: 'image/heic', width: side, height: side },
    uhash: '',
    manifest: {} as never,
    ...(pixelFinding && { pixelFinding }),
  },
});
const GOOD = inspected(7_000);

/** Returns a `start` whose processes give these answers, one list per process. */
function processes(...answers: (InspectedAnswer | Error)[][]) {
  const ended: number[] = [];
  let started = 0;
  const start = (): ImageProcess => {
    const own = answers[started++] ?? [];
    const nth = started;
    return {
      isUsable: () => !ended.includes(nth),
      end: async () => void ended.push(nth),
      async run() {
        const answer = own.shift();
        if (answer === undefined) throw new Error('asked too often');
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
  };
  return { process: retryInFreshProcess(start), ended, started: () => started };
}

it.each([
  ['a used process died of', new ImageFault('worker_died')],
  ['a used process could not decode, of 49 megapixels', inspected(7_000, 'pixels_undecodable')],
])('decodes again in a fresh process what %s', async (_, failed) => {
  const { process, ended, started } = processes([GOOD, failed], [GOOD]);
  await process.run(REQUEST);
  expect(await process.run(REQUEST)).toBe(GOOD);
  expect([started(), ended, process.isUsable()]).toEqual([2, [1], true]);
});

it('accepts the result of a fresh process, the first or the second', async () => {
  const died = new ImageFault('worker_died');
  const damaged = inspected(7_000, 'pixels_undecodable');
  const first = processes([damaged], []);
  expect(await first.process.run(REQUEST)).toBe(damaged);
  const dead = processes([died], []);
  await expect(dead.process.run(REQUEST)).rejects.toBe(died);
  const second = processes([GOOD, died], [died]);
  await second.process.run(REQUEST);
  await expect(second.process.run(REQUEST)).rejects.toBe(died);
  expect([first.started(), dead.started(), second.started()]).toEqual([1, 1, 2]);
});

it.each([
  ['a small image, which needs little memory', inspected(2_000, 'pixels_undecodable')],
  ['what is not decoded here at all', inspected(7_000, 'pixels_unsupported')],
])('starts no process for %s', async (_, answer) => {
  const { process, started } = processes([GOOD, answer]);
  await process.run(REQUEST);
  expect(await process.run(REQUEST)).toBe(answer);
  expect(started()).toBe(1);
});

it('starts none after a timeout, and none after it was closed', async () => {
  const late = processes([GOOD, new ImageFault('timed_out')]);
  await late.process.run(REQUEST);
  await expect(late.process.run(REQUEST)).rejects.toMatchObject({ code: 'timed_out' });
  const closed = processes([GOOD, new ImageFault('worker_died')]);
  await closed.process.run(REQUEST);
  await closed.process.end();
  await expect(closed.process.run(REQUEST)).rejects.toMatchObject({ code: 'worker_died' });
  expect([late.started(), closed.started()]).toEqual([1, 1]);
});
