import { expect, it } from 'vitest';
import { isComplete } from './scan-task.ts';

it('rescans what was certified without hashes, since it was never checked whether it can be decoded', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const isDone = (hashes?: { uhash: string; phash: string }) =>
    isComplete(
      {
        sign: false,
        before: {
          sourceUhash: '',
          credentials: { hasC2PA: true, hasManifest: true, ...(hashes && { hashes }) },
          signedByUs: false,
          signedUntil: null,
          trustList: 'list',
        },
      },
      { renewedUntil: now, trustList: 'list', now },
    );
  expect(isDone({ uhash: '1', phash: '2' })).toBe(true);
  expect(isDone()).toBe(false);
});
