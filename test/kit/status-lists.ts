import { deflateSync } from 'node:zlib';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, type TestIssuer } from '@touchstone/certificate/testing';

export const LIST_ENTRIES = 1_048_576;
export const LIST_URI = `${TEST_ISSUER}/api/v1/mc4p/status/7`;
export const LIST_KEYS_URL = `${TEST_ISSUER}/api/v1/.well-known/status-list-jwks.json`;
export const LIST_ISSUED_AT = TEST_NOW.getTime() / 1000;

/** A status list as the service publishes it, and what a test changes of it. */
export interface ListChanges {
  /** Values by index; default 0. */
  readonly values?: Iterable<readonly [number, number]>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Two bits an entry, the first in the lowest bits of the first byte. */
function listBytes(values: Iterable<readonly [number, number]> = [], entries = LIST_ENTRIES): Buffer {
  const bytes = Buffer.alloc(entries / 4);
  for (const [index, value] of values) {
    const place = index >> 2;
    bytes[place] = (bytes[place] ?? 0) | (value << ((index & 3) * 2));
  }
  return bytes;
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
    sign: ({ values, claims, header } = {}) =>
      issuer.sign(
        {
          sub: LIST_URI,
          iat: LIST_ISSUED_AT,
          exp: LIST_ISSUED_AT + 86_400,
          ttl: 900,
          status_list: statusList(listBytes(values)),
          revoked_kids: [],
          ...claims,
        },
        { typ: 'statuslist+jwt', ...header },
      ),
  };
}
