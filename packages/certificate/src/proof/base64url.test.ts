import { expect, it } from 'vitest';
import { decodeBase64url, encodeBase64url } from './base64url.ts';

it('encodes bytes of any length as Node does, and decodes them', () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 89 + length * 151) % 256);
    const text = encodeBase64url(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64url'));
    expect(decodeBase64url(text)).toEqual(bytes);
  }
});
