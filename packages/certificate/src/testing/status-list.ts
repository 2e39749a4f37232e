import { encodeStatusList, statusListClaims } from '../withdrawal/make-status-list.ts';
import { STATUS_LIST_BYTES, STATUS_LIST_TYP, setEntry } from '../withdrawal/status-list.ts';

/** A status list of a test; what is left out is as in a valid one. */
export interface TestStatusList {
  /** Values of the entries that are not 0, by index. */
  readonly values?: Readonly<Record<number, number>>;
  readonly revokedKids?: readonly string[];
  readonly issuedAt: Date;
  /** Merged over the valid ones. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/**
 * Signs a status list, valid unless a test changes it.
 *
 * @param issuer - whose key signs it: one made for status lists (`createTestIssuer('lists-1')`)
 * @example
 * ```ts
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW, testStatusList } from '@touchstone/certificate/testing';
 * import { statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = await createTestIssuer('lists-1');
 * const uri = statusListUri(TEST_ISSUER, 7);
 * const token = await testStatusList(issuer, uri, { issuedAt: TEST_NOW, values: { 12: 1 } });
 * token.split('.').length; // 3
 * ```
 */
export async function testStatusList(
  issuer: {
    readonly kid: string;
    sign(claims: object, header: Record<string, unknown>): Promise<string>;
  },
  uri: string,
  { values = {}, revokedKids = [], issuedAt, claims, header }: TestStatusList,
): Promise<string> {
  const entries = new Uint8Array(STATUS_LIST_BYTES);
  for (const [index, value] of Object.entries(values)) setEntry(entries, Number(index), value);
  const compressed = await encodeStatusList(entries);
  const valid = statusListClaims({ uri, issuedAt, compressed, revokedKids });
  return issuer.sign({ ...valid, ...claims }, { typ: STATUS_LIST_TYP, ...header });
}
