import { expect, it } from 'vitest';
import { openImageWorker } from '../browser/open-image-worker.ts';
import { openImageWorkers } from '../node/open-image-workers.ts';

const OPTIONS = {
  memoryMb: 512,
  timeoutMs: 10_000,
  trust: { name: 'nobody', date: '2026-01-01', anchorsPem: '' },
};

it.each(['memoryMb', 'timeoutMs', 'trust'])(
  'a missing %s is reported at once, not as an image that cannot be decoded',
  (name) => {
    const untyped = { ...OPTIONS, [name]: undefined, processes: 1, startWorker: () => {}, wasmUrl: '' };
    for (const open of [openImageWorker, openImageWorkers])
      expect(() => Reflect.apply(open, null, [untyped])).toThrow(new RegExp(`^${name} must be`));
  },
);
