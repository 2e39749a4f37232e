import { expect, it } from 'vitest';
import { coseSign1, protectedHeader, toBeSigned } from './cose.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const HEADER = protectedHeader('es256', [Uint8Array.of(1, 2)]);

it('encodes header and structure as the RFCs do', () => {
  // {1: -7, 33: h'0102'}
  expect(hex(HEADER)).toBe('a201261821420102');
  // {1: -37, 33: [h'01', h'02']}
  expect(hex(protectedHeader('ps256', [Uint8Array.of(1), Uint8Array.of(2)]))).toBe('a201382418218241014102');
  // ["Signature1", header, h'', h'ff']
  expect(hex(toBeSigned(HEADER, Uint8Array.of(255)))).toBe(
    `846a5369676e617475726531${'48'}${hex(HEADER)}4041ff`,
  );
  // 18([header, {"pad": h'00'}, null, h'aa'])
  expect(hex(coseSign1(HEADER, Uint8Array.of(0xaa), 21))).toBe(
    `d28448${hex(HEADER)}a163706164${'4100'}f641aa`,
  );
});

it('pads to the exact size if it can, and reports if it cannot', () => {
  const smallest = coseSign1(HEADER, new Uint8Array(64), 84).length;
  let refused = 0;
  for (let size = smallest; size < smallest + 700; size += 1) {
    try {
      expect(coseSign1(HEADER, new Uint8Array(64), size)).toHaveLength(size);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      refused += 1;
    }
  }
  // the lengths at which the padding's length takes a second byte, and a third
  expect(refused).toBe(2);
  expect(() => coseSign1(HEADER, new Uint8Array(64), 10)).toThrow(RangeError);
});
