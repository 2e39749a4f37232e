import {
  PageCheckReportSchema,
  PageCheckRequestSchema,
  ProductVerificationRequestSchema,
  VerificationResultSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import type { Wire } from '../operation.ts';

const ReceiptSchema = z
  .object({
    jws: z.string().meta({
      description:
        'A compact JWS (Ed25519, typ `touchstone-receipt+jwt`) by a key of `receipt-jwks.json`, over request, answer, page, verdict and time.',
      example: 'eyJhbGciOiJFZDI1NTE5IiwidHlwIjoidG91Y2hzdG9uZS1yZWNlaXB0K2p3dCJ9.eyJ2IjoxfQ.c2lnbmF0dXJl',
    }),
    timestamp: z.string().optional().meta({
      description:
        'A time-stamp token (RFC 3161) of the SHA-256 of `jws`, DER in base64, if the service has a time-stamp authority and it answered.',
      example: 'MIIEuAYJKoZIhvcNAQcC',
    }),
  })
  .meta({
    id: 'Receipt',
    description:
      'What a third party can verify of this answer: that the service gave it to this request, and when.',
  });

/** Faults of a request for evidence. */
export const EVIDENCE_ERRORS = ['credentials_missing', 'forbidden', 'evidence_quota_reached'] as const;

/** Faults of a request for a receipt. */
export const RECEIPT_ERRORS = [
  'receipts_absent',
  'receipt_request_refused',
  'fetch_budget_spent',
  'signer_unavailable',
] as const;

const flag = (description: string) =>
  z
    .boolean()
    .nullish()
    // null and false are the same as absent
    .transform((value) => value === true || undefined)
    .meta({ description });

/** What a merchant keeps of a page check. */
export const EvidenceSchema = z
  .object({
    id: z.uuid(),
    url: z.string().meta({ description: 'Address of the page, as requested.' }),
    verdict: z.string(),
    bytes: z.int().meta({ description: 'Size of the file.' }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: 'When it is deleted.' }),
  })
  .meta({ id: 'Evidence', description: 'A page as the service saw it, kept in one file for its merchant.' });

export type Evidence = Wire<z.output<typeof EvidenceSchema>>;

const evidenceAsked = {
  evidence: flag(
    'true, with the API key of a merchant: the page is fetched now, and its bytes, headers and the hashes of its pictures are kept with the receipt and the certificate of the original in one file (ZIP) for 90 days.',
  ),
  original: z
    .guid()
    .nullish()
    .transform((id) => id ?? undefined)
    .meta({
      description:
        'With `evidence`: the product of which the page shows a copy. Default: the one whose certificate the page carries.',
    }),
};

const asked = {
  receipt: flag(
    'true: the answer has a signed `receipt`. Each spends one page fetch of the caller’s budget, besides fetching.',
  ),
};

const answered = {
  receipt: ReceiptSchema.optional().meta({ description: 'If requested; not of an earlier check.' }),
};

export const VerificationBodySchema = ProductVerificationRequestSchema.extend(asked).meta({
  id: 'ProductVerificationRequest',
});
export const VerificationAnswerSchema = VerificationResultSchema.extend(answered).meta({
  id: 'VerificationResult',
});
export const PageCheckBodySchema = PageCheckRequestSchema.extend(asked).meta({ id: 'PageCheckArguments' });
/** The same for callers over HTTP, who may have the page kept. */
export const KeptPageCheckBodySchema = PageCheckBodySchema.extend(evidenceAsked).meta({
  id: 'PageCheckRequest',
});
export const PageCheckAnswerSchema = PageCheckReportSchema.extend({
  ...answered,
  evidence: EvidenceSchema.optional().meta({
    description: 'If requested; not of an earlier check. `getEvidence` downloads it.',
  }),
}).meta({ id: 'PageCheckReport' });

export type VerificationAnswer = Wire<z.output<typeof VerificationAnswerSchema>>;
export type PageCheckAnswer = Wire<z.output<typeof PageCheckAnswerSchema>>;
