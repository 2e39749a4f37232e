import { comparePageUrls } from '../../binding/compare-page-urls.ts';
import { sameProductId } from '../../binding/product-ids.ts';
import { failed, type ProofContext } from '../check-context.ts';
import { describeValue } from '../describe.ts';
import type { CheckResult } from '../types.ts';
import { certificateIntegrity } from './certificate-integrity.ts';

type Same = (signed: string, repeated: string) => boolean;

const exact: Same = (signed, repeated) => signed === repeated;
const samePage: Same = (signed, repeated) => comparePageUrls(signed, repeated).equal;

/** Members of image documents that repeat signed values: path, claims that may hold the value, equality. */
const REPEATED: readonly (readonly [string, readonly string[], Same])[] = [
  ['contentUrl', ['contentUrl'], exact],
  ['imageId', ['imageId'], sameProductId],
  ['svc:issuedFor.assetId', ['assetId', 'imageId'], sameProductId],
  ['svc:issuedFor.url', ['url'], samePage],
  ['svc:contentCredentials.hashes.uhash', ['uhash'], exact],
  ['svc:contentCredentials.hashes.phash', ['phash'], exact],
  ['svc:contentCredentials.sourceUhash', ['sourceUhash'], exact],
  ['contentCredentials.sourceUhash', ['sourceUhash'], exact],
  ['contentCredentials.hashes.uhash', ['uhash'], exact],
  ['contentCredentials.hashes.phash', ['phash'], exact],
  ['cryptographicProof.uhash.value', ['uhash'], exact],
  ['cryptographicProof.phash.value', ['phash'], exact],
];

/**
 * `certificateIntegrity` for any kind of certificate: where an image's document repeats a signed value, both must be
 * equal, and a hash in the document must have been signed.
 */
export function assetIntegrity(context: ProofContext): CheckResult {
  const common = certificateIntegrity(context);
  if (common.result !== true || context.kind === 'product') return common;
  for (const [path, claims, same] of REPEATED) {
    const repeated = at(context.document, path);
    if (repeated === undefined || repeated === null) continue;
    const signed = claims.map((name) => context.proof?.claims?.[name]).find((claim) => claim !== undefined);
    if (typeof signed === 'string' && typeof repeated === 'string' && same(signed, repeated)) continue;
    return failed('document_differs', `${path} ${describeValue(signed)}`, describeValue(repeated));
  }
  return common;
}

/** The value at this path; `undefined` if the path does not exist, whatever the types on the way. */
function at(node: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], node);
}
