import { expect, it } from 'vitest';
import { imageCode } from './image-code.ts';
import { PHOTO } from './testing-vector.ts';
import { toHex } from './uhash.ts';

/** The bits of an Image-Code in its text form: RFC 4648 base 32 after `ISCC:`, without the two bytes of the header. */
function bitsOf(iscc: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = iscc
    .slice('ISCC:'.length)
    .replace(/./g, (char) => alphabet.indexOf(char).toString(2).padStart(5, '0'));
  const bytes = bits.match(/.{8}/g) ?? [];
  return toHex(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))).slice(4);
}

it.each([
  ['black', Array.from({ length: 1024 }, () => 0), 64, 'ISCC:EEAQAAAAAAAAAAAA'],
  ['white', Array.from({ length: 1024 }, () => 255), 128, 'ISCC:EEBYAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['a photograph', PHOTO, 256, 'ISCC:EED4GQZQTY6J5DTHQ2DWCPDZHQOM6QZQTY6J5DTFZ2DWCPDZHQOMXDI'],
] as const)("gives the standard's own code for %s", (_name, pixels, bits, iscc) => {
  expect(toHex(imageCode(pixels, bits))).toBe(bitsOf(iscc));
});

it('is a prefix of every longer code', () => {
  expect(toHex(imageCode(PHOTO, 256))).toMatch(new RegExp(`^${toHex(imageCode(PHOTO, 64))}`));
});
