import { ProductCertificateSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { REGISTRY_BASE } from './parts.ts';
import { PRODUCT_STATES } from './products.ts';
import { StoreParams } from './stores.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const cursor = z.string().meta({ description: 'Says where to go on from: `since` of a later call.' });

const identity = {
  productId: z.uuid(),
  externalProductId: z.string(),
  url: z.string().meta({ description: 'The page of the product, as the registry has it.' }),
};

const CurrentLineSchema = z.object({
  status: z.literal('current'),
  ...identity,
  issuedAt: z.iso.datetime(),
  replaceBy: z.iso.datetime().meta({
    description:
      'When its proof ends: by then the page must carry the next one, which the stream brings two days before.',
  }),
  cursor,
  certificate: ProductCertificateSchema.meta({
    description:
      'The document that GET answers, byte for byte. It takes the place of any whose `svc:record.recordId` is this productId.',
  }),
});

const WithdrawnLineSchema = z.object({
  status: z.literal('withdrawn'),
  ...identity,
  state: z
    .enum(PRODUCT_STATES)
    .meta({ description: 'Of the product now. Its certificate is to be taken off the page.' }),
  cursor,
});

const EndLineSchema = z.object({
  status: z.literal('end'),
  cursor,
  certificates: z.int().meta({ description: 'Lines of certificates in this answer.' }),
  withdrawn: z.int().meta({ description: 'Lines of withdrawn ones in this answer.' }),
  failed: z
    .int()
    .meta({ description: 'Products of the store whose certificate could not be made, and is tried again.' }),
});

const AbortedLineSchema = z.object({
  status: z.literal('aborted'),
  code: z.string(),
  detail: z.string(),
  cursor,
});

const CertificateLineSchema = z
  .discriminatedUnion('status', [CurrentLineSchema, WithdrawnLineSchema, EndLineSchema, AbortedLineSchema])
  .meta({ id: 'CertificateLine', description: 'One line of the stream of a store’s certificates.' });

const CertificateStreamQuerySchema = z.strictObject({
  since: z
    .string()
    .max(200)
    .optional()
    .meta({ description: '`cursor` of any earlier line. Absent: every certificate of the store.' }),
});

const CertificateFailureSchema = z.object({
  code: z.string(),
  detail: z.string(),
  at: z.iso.datetime(),
  attempts: z.int(),
});

const CertificateProgressSchema = z
  .object({
    state: z.enum(['done', 'working', 'waiting']).meta({
      description: '`waiting`: there is something to do, and no node is at it; `lastFailure` may say why.',
    }),
    certificates: z.int().meta({ description: 'Products whose certificate is at hand.' }),
    done: z.int().meta({
      description:
        'Products looked at since `since`: certificates made, renewed, withdrawn, or found as they were.',
    }),
    left: z.int().meta({ description: 'Products still to be looked at.' }),
    total: z.int().meta({ description: '`done` and `left` together.' }),
    failed: z.int().meta({ description: 'Of those left: the last attempt failed; they are tried again.' }),
    perSecond: z.number().meta({ description: 'Products looked at a second, lately; 0: nothing moves.' }),
    since: z.iso.datetime().optional().meta({ description: 'When there was last something to do.' }),
    doneAt: z.iso.datetime().optional().meta({ description: 'When the last of them was looked at.' }),
    lastFailure: CertificateFailureSchema.optional(),
  })
  .meta({
    id: 'CertificateProgress',
    description: 'How far the certificates of a store are that are made before anyone asks for them.',
  });

export type CertificateLine = Wire<z.infer<typeof CertificateLineSchema>>;
export type CertificateProgress = Wire<z.infer<typeof CertificateProgressSchema>>;

export const streamCertificates = defineOperation({
  ...common,
  id: 'streamCertificates',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/certificates`,
  summary: 'Get all certificates of a store, or what changed',
  description: `One object a line (NDJSON). With \`since\`: what changed or must be replaced since that line was told,
withdrawn certificates among it; products that were never told a certificate are not named. Certificates that are missing
are made on the way. The last line is \`{"status":"end","cursor":…}\`, or \`{"status":"aborted",…}\` where a fault came in
between; an answer that ends without one was cut off. Either way, go on from the cursor of the last line that came whole.`,
  params: StoreParams,
  query: CertificateStreamQuerySchema,
  replies: {
    200: {
      description: 'Certificates in the order in which they were told.',
      mediaType: 'application/x-ndjson',
      line: CertificateLineSchema,
    },
  },
  errors: ['store_unknown', 'bad_request'],
});

export const getCertificateProgress = defineOperation({
  ...common,
  id: 'getCertificateProgress',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/certificates/progress`,
  summary: 'Get the progress of the certificates of a store',
  params: StoreParams,
  replies: { 200: { description: 'Counts, and products a second.', schema: CertificateProgressSchema } },
  errors: ['store_unknown'],
});
