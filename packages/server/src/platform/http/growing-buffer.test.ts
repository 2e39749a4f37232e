import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBuffer } from './growing-buffer.ts';

const sizes = fc.array(fc.nat(60_000), { maxLength: 12 });

it('gives back the bytes that it took, whatever their portions, and takes none over its limit', () => {
  fc.assert(
    fc.property(sizes, fc.nat(400_000), (portions, limit) => {
      const chunks = portions.map((size, index) => Buffer.alloc(size, index + 1));
      const collected = new GrowingBuffer(limit);
      const fitted = chunks.every((chunk) => collected.take(chunk));
      const whole = Buffer.concat(chunks);
      expect(fitted).toBe(whole.length <= limit);
      if (fitted) expect(Buffer.compare(collected.bytes(), whole)).toBe(0);
    }),
  );
});

it('holds large bodies in a way that everything after it can read', () => {
  const text = JSON.stringify({ name: 'é'.repeat(200_000) });
  const collected = new GrowingBuffer(1_000_000);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 10_000) collected.take(bytes.subarray(at, at + 10_000));
  const taken = collected.bytes();
  expect(new TextDecoder('utf-8', { fatal: true }).decode(taken)).toBe(text);
  const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
  expect(hash(taken)).toBe(hash(bytes));
});

it('takes exactly its limit, and not one byte more', () => {
  const exact = new GrowingBuffer(200_000);
  expect(exact.take(Buffer.alloc(200_000, 'x'))).toBe(true);
  expect(exact.bytes()).toHaveLength(200_000);
  const over = new GrowingBuffer(200_000);
  expect(over.take(Buffer.alloc(200_000, 'x'))).toBe(true);
  expect(over.take(Buffer.alloc(1))).toBe(false);
});
