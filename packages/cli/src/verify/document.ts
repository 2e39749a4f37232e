import { parseCanonicalSource, type Trust, verifyProductCertificate } from '@touchstone/certificate';
import { isUuid, type VerificationResult } from '@touchstone/certificate/verify';
import { type PageCode, pageNote } from '@touchstone/page';
import { cannotTell } from '../cli-error.ts';
import { isRecord } from '../problem.ts';

/** A document that came by itself, with what the user says of it. */
export interface DocumentInput {
  readonly document: unknown;
  readonly pageUrl: string;
  readonly productId?: string | undefined;
  readonly trust: Trust;
  readonly now: Date;
}

/** What verifying gives, or why the document does not even lead to a product of a trusted issuer. */
export type DocumentOutcome =
  | { readonly kind: 'result'; readonly result: VerificationResult }
  | { readonly kind: 'canonical_mismatch' | 'invalid_certificate'; readonly error: string };

/** Verifies one document. With a product id named by the user the document need not say where it comes from. */
export async function verifyDocument(input: DocumentInput): Promise<DocumentOutcome> {
  const { document, ...question } = input;
  const productId = input.productId ?? productOf(nodeOf(document), input.trust.issuers);
  if (typeof productId !== 'string') return productId;
  return { kind: 'result', result: await verifyProductCertificate(document, { ...question, productId }) };
}

function productOf(
  node: unknown,
  issuers: readonly string[],
): string | Exclude<DocumentOutcome, { kind: 'result' }> {
  const source = parseCanonicalSource(node, issuers);
  if (source.kind === 'ok') return source.productId;
  if (source.kind === 'mismatch') {
    return { kind: 'canonical_mismatch', error: pageNote('canonical_host_foreign', source.host) };
  }
  // the submitted form of the spec ("Submitted document") carries no canonical source; then the id that it
  // repeats will do, for the integrity check holds it against the signed one
  const repeated = isRecord(node) ? node.productID : undefined;
  if (source.code === 'canonical_source_missing' && isUuid(repeated)) return repeated.toLowerCase();
  if (source.code === 'canonical_source_missing') {
    throw cannotTell(
      'The document names no product, so there is nothing to hold it against.',
      'Name the product: --product-id <uuid>.',
    );
  }
  const code: PageCode = source.code;
  return { kind: 'invalid_certificate', error: pageNote(code, source.detail) };
}

/** A document may be a text that holds the node (spec "Verify a product certificate", rule 4). */
export function nodeOf(document: unknown): unknown {
  if (typeof document !== 'string') return document;
  try {
    return JSON.parse(document);
  } catch {
    return document;
  }
}
