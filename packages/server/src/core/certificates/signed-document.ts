import type { ProductSnapshot } from '@touchstone/certificate';
import {
  type Addresses,
  assetCertificate,
  assetClaims,
  type BoundMembers,
  bindMembers,
  canonicalJson,
  fullImageCertificate,
  type Issuance,
  imageClaims,
  type ProofIntent,
  prepareProof,
  productCertificate,
  productClaims,
  type Sha256,
} from '@touchstone/certificate/issue';
import { statusListUri } from '@touchstone/certificate/withdrawal';
import type { ProofKind } from '../../platform/database/tables.ts';
import { imageIn } from './image-snapshot.ts';
import type { StatusEntry } from './status-entries.ts';

/** What a proof is about: one state of one product or image, as one issuer signs it. */
export interface ProofSubject {
  readonly merchantId: string;
  readonly kind: ProofKind;
  /** Product or image id. */
  readonly id: string;
  readonly snapshot: ProductSnapshot;
  /** Proofs issued until then were withdrawn; absent: none was. */
  readonly withdrawnAt?: Date | undefined;
}

/** What a document states about its proof. */
export interface ProofTimes {
  readonly kid: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * The document of a subject, with its proof. The proof binds these members, so they may contain nothing that is not in the recorded
 * snapshot.
 */
function signedDocument(
  subject: ProofSubject,
  proof: ProofTimes & { readonly jwt: string },
  addresses: Addresses,
) {
  const { kind, id, snapshot } = subject;
  const signed = signedBy(proof);
  if (kind === 'product') return productCertificate(snapshot, signed, addresses);
  const image = imageIn(snapshot, id);
  if (kind === 'asset') return assetCertificate(snapshot, image, signed, addresses);
  if (snapshot.domains === undefined)
    throw new Error(`the snapshot of image ${id} does not hold its domains`);
  return fullImageCertificate(snapshot, image, signed, snapshot.domains, addresses);
}

/** A proof as its document states it. */
export function signedBy({ jwt, logProof, kid, issuedAt, expiresAt }: StatedProof) {
  const times = { issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() };
  return { jwt, kid, ...times, ...(logProof === undefined ? {} : { logProof }) };
}

interface StatedProof extends ProofTimes {
  readonly jwt: string;
  readonly logProof?: string;
}

/** How a node creates and binds documents. */
export interface Binding {
  readonly addresses: Addresses;
  readonly sha256: Sha256;
}

/** The members of a subject's document that its proof binds. */
export function boundMembers(
  subject: ProofSubject,
  times: ProofTimes,
  { addresses, sha256 }: Binding,
): Promise<BoundMembers> {
  return bindMembers(subject.kind, signedDocument(subject, { ...times, jwt: '' }, addresses), sha256);
}

/** Members that describe the proof itself; all others are the same for every proof of a state. */
const OF_PROOF: Readonly<Record<ProofKind, readonly string[]>> = {
  product: ['svc:record'],
  asset: [],
  image: ['contentCredentials', 'cryptographicProof'],
};

/** `boundMembers` of a document, given those of the same document with another proof. */
async function rebound(
  subject: ProofSubject,
  times: ProofTimes,
  known: BoundMembers,
  { addresses, sha256 }: Binding,
): Promise<BoundMembers> {
  const document: object = signedDocument(subject, { ...times, jwt: '' }, addresses);
  const members: Record<string, string> = { ...known.members };
  for (const name of OF_PROOF[subject.kind]) {
    const text = canonicalJson((document as Readonly<Record<string, unknown>>)[name]);
    if (text === null)
      throw new TypeError(`the member ${name} of this ${subject.kind} has no canonical JSON`);
    members[name] = await sha256(text);
  }
  return { ...known, members };
}

/**
 * The proof of a subject, ready to be recorded and signed. Rows accepted under a former, higher limit of length may leave no room
 * for the binding of the document; their proofs are issued without it, as before.
 *
 * @param form - the members that a proof of the subject binds otherwise
 */
export async function prepareProofOf(
  subject: ProofSubject,
  times: ProofTimes & { readonly status?: StatusEntry | undefined },
  form: BoundMembers,
  binding: Binding,
): Promise<ProofIntent> {
  const { issuedAt, status } = times;
  const issuer = binding.addresses.baseUrl;
  const entry = status && { uri: statusListUri(issuer, status.list), index: status.index };
  const issuance = { issuer, issuedAt, ...(entry === undefined ? {} : { status: entry }) };
  const bound = await rebound(subject, times, form, binding);
  try {
    return prepareProof(subject.kind, claimsOf(subject, { ...issuance, bound }), times.kid);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return prepareProof(subject.kind, claimsOf(subject, issuance), times.kid);
  }
}

function claimsOf({ kind, id, snapshot }: ProofSubject, issuance: Issuance) {
  if (kind === 'product') return productClaims(snapshot, issuance);
  return (kind === 'asset' ? assetClaims : imageClaims)(snapshot, imageIn(snapshot, id), issuance);
}
