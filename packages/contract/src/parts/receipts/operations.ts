import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { EvidenceSchema } from '../../operations/receipt.ts';
import { NOT_MODIFIED, REGISTRY_BASE } from '../../operations/shared.ts';

const ReceiptKeysSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('Ed25519'),
        x: z.string().meta({ description: '32 bytes, base64url.' }),
      }),
    ),
  })
  .meta({ id: 'ReceiptKeys', description: 'The public keys that receipts are verified with (RFC 8037).' });

export type ReceiptKeys = Wire<z.output<typeof ReceiptKeysSchema>>;

export const getReceiptKeys = defineOperation({
  id: 'getReceiptKeys',
  tag: 'Keys',
  access: 'public',
  anyOrigin: true,
  hot: true,
  method: 'GET',
  cacheControl: 'public, max-age=3600',
  path: '/api/v1/.well-known/receipt-jwks.json',
  summary: 'Get the public keys of receipts',
  description: `They sign receipts and nothing else. Former keys stay, since receipts do not expire; revoked ones do not. Keep a copy with
the receipts that you keep.`,
  replies: {
    200: { description: 'The key set; may be cached for an hour.', schema: ReceiptKeysSchema },
    304: NOT_MODIFIED,
  },
  errors: ['keys_unavailable'],
});

const kept = { tag: 'Registry', access: 'merchant', noStore: true } as const;
const ID = z.object({ evidence_id: z.uuid().meta({ description: 'The id of the evidence.' }) });

export const listEvidence = defineOperation({
  ...kept,
  id: 'listEvidence',
  method: 'GET',
  path: `${REGISTRY_BASE}/evidence`,
  summary: 'List the evidence of a merchant',
  description:
    'Kept by page checks with `evidence`, for 90 days or until deleted. For the keys of the merchant alone.',
  replies: {
    200: {
      description: 'The newest first.',
      schema: z
        .object({
          evidence: z.array(EvidenceSchema),
          bytes: z.int().meta({ description: 'Of all files.' }),
          quotaBytes: z.int().meta({ description: 'How many may be kept.' }),
        })
        .meta({ id: 'EvidenceList' }),
    },
  },
  errors: [],
});

export const getEvidence = defineOperation({
  ...kept,
  id: 'getEvidence',
  method: 'GET',
  path: `${REGISTRY_BASE}/evidence/{evidence_id}`,
  summary: 'Download evidence',
  params: ID,
  replies: {
    200: { description: 'A ZIP file; its README.txt says what is in it.', mediaType: 'application/zip' },
  },
  errors: ['evidence_unknown'],
});

export const deleteEvidence = defineOperation({
  ...kept,
  id: 'deleteEvidence',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/evidence/{evidence_id}`,
  summary: 'Delete evidence',
  params: ID,
  replies: { 204: { description: 'It is deleted.' } },
  errors: ['evidence_unknown'],
});
