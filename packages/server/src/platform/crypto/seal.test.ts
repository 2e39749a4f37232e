import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const secret = randomBytes(1_200);

test('what was sealed can be opened, and is not visible in the sealed bytes', () => {
  const seal = createSeal(randomBytes(32));
  const sealed = seal.seal('kid-1', secret);
  expect(seal.open('kid-1', sealed)).toEqual(secret);
  expect(sealed.includes(secret.subarray(0, 16))).toBe(false);
});

test('the same key is never sealed to the same bytes twice', () => {
  const seal = createSeal(randomBytes(32));
  expect(seal.seal('kid-1', secret)).not.toEqual(seal.seal('kid-1', secret));
});

test('another master key opens nothing', () => {
  const sealed = createSeal(randomBytes(32)).seal('kid-1', secret);
  expect(() => createSeal(randomBytes(32)).open('kid-1', sealed)).toThrow();
});

test('a sealed key assigned to another kid does not open', () => {
  const seal = createSeal(randomBytes(32));
  expect(() => seal.open('kid-2', seal.seal('kid-1', secret))).toThrow();
});

test('any changed bit is detected', () => {
  const seal = createSeal(randomBytes(32));
  const sealed = seal.seal('kid-1', secret);
  for (const at of [0, 1, 12, 13, 600, sealed.length - 16, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => seal.open('kid-1', changed), `byte ${at}`).toThrow();
  }
  expect(() => seal.open('kid-1', sealed.subarray(0, 20))).toThrow();
  expect(() => seal.open('kid-1', Buffer.alloc(0))).toThrow();
});

test('a master key of another length is refused', () => {
  expect(() => createSeal(randomBytes(16))).toThrow('32 bytes');
});
