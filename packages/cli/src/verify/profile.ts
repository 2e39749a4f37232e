import {
  type ProfileAnswer,
  parseCanonicalSource,
  type Trust,
  type VerifyByProfileOptions,
  verifyByProfile,
} from '@touchstone/certificate';
import { type CertificateKind, kindOf, nodeOf } from './found-node.ts';
import type { TellLog } from './log.ts';
import type { TellWithdrawal } from './withdrawal.ts';

export type ProfileRequest = Omit<VerifyByProfileOptions, 'trustedIssuers' | 'trust' | 'kind'> & {
  readonly document: unknown;
  readonly trust: Trust;
  readonly tellWithdrawal: TellWithdrawal;
  readonly tellLog: TellLog;
};

export interface ProfileOutcome extends ProfileAnswer {
  readonly kind: CertificateKind;
}

/** Verifies a certificate by a profile. Its kind is the one it states, and is reported: a proof of another kind is not valid for it. */
export async function verifyFoundByProfile(request: ProfileRequest): Promise<ProfileOutcome> {
  const { trust, profile, pageUrl, now, image, readManifest, tellWithdrawal, tellLog } = request;
  const node = nodeOf(request.document);
  const kind = kindOf(node);
  const productId = request.productId ?? productNamedBy(node, kind, trust);
  const question = { profile, kind, pageUrl, now, productId, image, readManifest };
  const answer = await verifyByProfile(node, { ...question, trust });
  const known = await tellWithdrawal(answer, node, answer.signed?.issuer, now);
  return { kind, ...(await tellLog(known, node)) };
}

/** The product id that the certificate claims; the signed id must match. */
function productNamedBy(node: unknown, kind: CertificateKind, { issuers }: Trust): string | undefined {
  if (kind !== 'product') return undefined;
  const source = parseCanonicalSource(node, issuers);
  return source.kind === 'ok' ? source.productId : undefined;
}
