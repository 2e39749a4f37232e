import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodeBase64url } from '@touchstone/certificate/issue';
import { encodeStatusList, entryAt, STATUS_LIST_BYTES, setEntry } from '@touchstone/certificate/withdrawal';
import { describe, expect, it } from 'vitest';
import { deflate, inflate } from '../../packages/certificate/src/withdrawal/deflate.ts';

const CORPORA = process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');
const FILE = join(CORPORA, 'status-list/vectors.json');

interface Encoding {
  readonly bits: 1 | 2 | 4 | 8;
  readonly size: number;
  /** Values that are not 0, by index. */
  readonly status: Readonly<Record<string, number>>;
  readonly lst: string;
}

const encodings: Encoding[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];

describe.skipIf(encodings.length === 0)(
  'the encodings of draft-ietf-oauth-status-list-20, appendix "Test Vectors"',
  () => {
    it.each(encodings)('with $bits bits are read as they are meant', async ({ bits, size, status, lst }) => {
      const entries = await inflate(Uint8Array.from(Buffer.from(lst, 'base64url')), (size * bits) / 8);
      if (typeof entries === 'string') throw new Error(entries);
      const read = Object.fromEntries(
        Array.from({ length: size }, (_, index) => [index, entryAt(entries, index, bits)] as const).filter(
          ([, value]) => value !== 0,
        ),
      );
      // one of the listed values is 0
      const set = Object.entries(status).filter(([, value]) => value !== 0);
      expect(read).toEqual(Object.fromEntries(set));
      // and packed the same, whatever the compression
      expect(await inflate(await deflate(entries), entries.length)).toEqual(entries);
    });

    it('with 2 bits are made by us from the same values', async () => {
      const { status, lst } = encodings.find(({ bits }) => bits === 2) as Encoding;
      const entries = new Uint8Array(STATUS_LIST_BYTES);
      for (const [index, value] of Object.entries(status)) setEntry(entries, Number(index), value);
      const theirs = await inflate(Uint8Array.from(Buffer.from(lst, 'base64url')), STATUS_LIST_BYTES);
      expect(entries).toEqual(theirs);
      expect(encodeBase64url(await encodeStatusList(entries)).length).toBeLessThan(lst.length * 1.1);
    });
  },
);
