import { hash as digest } from 'node:crypto';
import type { HashBytes } from '@touchstone/certificate/log';

export const sha256 = ((bytes: Uint8Array | string) =>
  new Uint8Array(digest('sha256', bytes, 'buffer'))) satisfies HashBytes;
