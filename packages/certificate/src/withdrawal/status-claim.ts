import type { StatusEntry } from '../claims/build-claims.ts';
import { isObject } from '../proof/strict-json.ts';
import type { StatusClaimFault } from '../verify/withdrawal-reasons.ts';
import { isStatusListUri, STATUS_LIST_SIZE } from './status-list.ts';

/**
 * Reads the claim `status` of a proof.
 *
 * @param issuer - the trusted issuer of the proof; only a list of its own counts
 * @returns `undefined` if there is none
 * @example
 * ```ts
 * import { statusEntryOf, statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = 'https://certificates.example';
 * const status = { status_list: { idx: 5, uri: statusListUri(issuer, 7) } };
 * statusEntryOf({ status }, issuer); // { index: 5, uri: 'https://certificates.example/api/v1/mc4p/status/7' }
 * statusEntryOf({ status }, 'https://other.example'); // 'status_uri_differs'
 * ```
 */
export function statusEntryOf(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
): StatusEntry | StatusClaimFault | undefined {
  const { status } = claims;
  if (status === undefined) return undefined;
  const list = isObject(status) ? status.status_list : undefined;
  if (!isObject(list)) return 'status_claim_malformed';
  const { idx: index, uri } = list;
  if (typeof uri !== 'string' || !Number.isSafeInteger(index) || (index as number) < 0)
    return 'status_claim_malformed';
  if (!isStatusListUri(uri, issuer)) return 'status_uri_differs';
  return (index as number) < STATUS_LIST_SIZE ? { index: index as number, uri } : 'status_index_out_of_range';
}
