import { deflateSync } from 'node:zlib';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  type TestIssuer,
  testStatusList,
} from '@touchstone/certificate/testing';
import { statusListJwksUrl, statusListUri } from '@touchstone/certificate/withdrawal';

export const LIST_ENTRIES = 1_048_576;
export const LIST_URI = statusListUri(TEST_ISSUER, 7);
export const LIST_KEYS_URL = statusListJwksUrl(TEST_ISSUER);
export const LIST_ISSUED_AT = TEST_NOW.getTime() / 1000;

/** A status list as the service publishes it, and what a test changes of it. */
export interface ListChanges {
  /** Values by index; default 0. */
  readonly values?: Iterable<readonly [number, number]>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** The member `status_list` of bytes. */
export function statusList(bytes: Uint8Array): { readonly bits: 2; readonly lst: string } {
  return { bits: 2, lst: deflateSync(bytes, { level: 6 }).toString('base64url') };
}

/** Signs lists with a key that no proof has. */
export async function createListIssuer(kid = 'list-key-1'): Promise<{
  readonly jwks: TestIssuer['jwks'];
  sign(changes?: ListChanges): Promise<string>;
}> {
  const issuer = await createTestIssuer(kid);
  return {
    jwks: issuer.jwks,
    sign: ({ values = [], ...changes } = {}) =>
      testStatusList(issuer, LIST_URI, {
        issuedAt: TEST_NOW,
        values: Object.fromEntries(values),
        ...changes,
      }),
  };
}
