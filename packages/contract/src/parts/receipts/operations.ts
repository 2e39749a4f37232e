import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { NOT_MODIFIED } from '../../operations/shared.ts';

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
