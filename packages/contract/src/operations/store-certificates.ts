import { ProductCertificateSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { PRODUCT_STATES } from './products.ts';
import { REGISTRY_BASE } from './shared.ts';
import { StoreParams } from './stores.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const cursor = z
  .string()
  .meta({ description: 'Position in the stream: pass it as `since` to continue from here.' });

const identity = {
  productId: z.uuid(),
  externalProductId: z.string(),
  url: z.string().meta({ description: 'The page of the product, as registered.' }),
};

const CurrentLineSchema = z.object({
  status: z.literal('current'),
  ...identity,
  issuedAt: z.iso.datetime(),
  replaceBy: z.iso.datetime().meta({
    description:
      'When its proof expires: by then the page must carry the next one, which appears in the stream two days before.',
  }),
  cursor,
  certificate: ProductCertificateSchema.meta({
    description:
      'The document that GET returns, byte for byte. It replaces any whose `svc:record.recordId` is this productId.',
  }),
});

const WithdrawnLineSchema = z.object({
  status: z.literal('withdrawn'),
  ...identity,
  state: z
    .enum(PRODUCT_STATES)
    .meta({ description: 'Current state of the product. Remove its certificate from the page.' }),
  cursor,
});

const EndLineSchema = z.object({
  status: z.literal('end'),
  cursor,
  certificates: z.int().meta({ description: 'Number of `current` lines in this response.' }),
  withdrawn: z.int().meta({ description: 'Number of `withdrawn` lines in this response.' }),
  failed: z
    .int()
    .meta({ description: 'Products of the store whose certificate could not be issued; they are retried.' }),
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
      description: '`waiting`: work is left, but no node is doing it; `lastFailure` may give the reason.',
    }),
    certificates: z.int().meta({ description: 'Products with an issued certificate.' }),
    done: z.int().meta({
      description:
        'Products processed since `since`: certificates issued, renewed, withdrawn or found unchanged.',
    }),
    left: z.int().meta({ description: 'Products still to be processed.' }),
    total: z.int().meta({ description: '`done` and `left` together.' }),
    failed: z
      .int()
      .meta({ description: 'Of those left: products whose last attempt failed; they are retried.' }),
    perSecond: z.number().meta({ description: 'Products processed per second, recently; 0: no progress.' }),
    since: z.iso.datetime().optional().meta({ description: 'When the current or last run of work began.' }),
    doneAt: z.iso.datetime().optional().meta({ description: 'When the last product was processed.' }),
    lastFailure: CertificateFailureSchema.optional(),
  })
  .meta({
    id: 'CertificateProgress',
    description: 'Progress of issuing the certificates of a store in advance.',
  });

export type CertificateLine = Wire<z.infer<typeof CertificateLineSchema>>;
export type CertificateProgress = Wire<z.infer<typeof CertificateProgressSchema>>;

export const streamCertificates = defineOperation({
  ...common,
  id: 'streamCertificates',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/certificates`,
  summary: 'Get all certificates of a store, or what changed',
  description: `Returns one object per line (NDJSON). With \`since\`: what has changed or must be replaced since that line,
including withdrawn certificates; products whose certificate was never in the stream are omitted. Missing certificates are
issued along the way. The last line is \`{"status":"end","cursor":…}\`, or \`{"status":"aborted",…}\` if an error interrupted
it; a response without either was cut off. In each case, continue from the cursor of the last complete line.`,
  params: StoreParams,
  query: CertificateStreamQuerySchema,
  replies: {
    200: {
      description: 'Certificates in the order of the stream.',
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
  replies: { 200: { description: 'Counts, and products per second.', schema: CertificateProgressSchema } },
  errors: ['store_unknown'],
});
