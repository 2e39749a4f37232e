import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { nextCursor, REGISTRY_BASE } from './shared.ts';
import { StoreParams } from './stores.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const ImageProgressSchema = z
  .object({
    total: z.int().meta({ description: 'Images of the store, without removed ones.' }),
    done: z.int().meta({ description: 'Images whose scan is complete.' }),
    failed: z.int().meta({ description: 'Images given up for now; see the list of failed images.' }),
    waiting: z.int().meta({ description: 'Images not scanned yet, or being scanned.' }),
    retrying: z.int().meta({ description: 'Of those done or waiting: images whose last attempt failed.' }),
    certified: z.int().meta({
      description:
        'Images whose file at the shop has a valid C2PA manifest; these count in the coverage of certificates.',
    }),
    signedByUs: z
      .int()
      .meta({ description: 'Images that this service signed, including those in `notServed`.' }),
    notServed: z.int().meta({
      description:
        'Images that this service signed while the shop still serves the unsigned file; not among the certified.',
    }),
    noImage: z
      .int()
      .meta({ description: 'Files that are not images (state no_image); not included in the other counts.' }),
    perSecond: z.number().meta({ description: 'Images finished per second, averaged over the last minute.' }),
  })
  .meta({ id: 'ImageProgress', description: 'Progress of scanning the images of a store.' });

const problem = {
  code: z.string(),
  message: z.string().meta({ description: 'The reason, as a sentence.' }),
  nextStep: z.string().meta({ description: 'What to do about it.' }),
  attempts: z.int(),
  failedAt: z.string(),
  nextAttemptAt: z.iso.datetime().optional().meta({ description: 'When it is next scanned automatically.' }),
};

const ImageProblemSchema = z
  .object(problem)
  .meta({ id: 'ImageProblem', description: 'Why the last attempt to scan an image failed.' });

const identity = {
  id: z.uuid(),
  url: z.string(),
  productId: z.uuid(),
  externalProductId: z.string(),
};

const FailedImageSchema = z.object({ ...identity, ...problem }).meta({ id: 'FailedImage' });

const FailedImageListSchema = z
  .object({ images: z.array(FailedImageSchema), nextCursor })
  .meta({ id: 'FailedImageList' });

const FailedImageQuerySchema = z.strictObject({
  cursor: z.guid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Result of scanning an image; every image has exactly one of these states. */
export const IMAGE_STATES = [
  'waiting',
  'failed',
  'no_image',
  'certified',
  'not_served',
  'no_manifest',
  'manifest_remote',
  'manifest_invalid',
  'issued_to_another_store',
  'damaged',
] as const;

const STATE_DESCRIPTION = `\`waiting\`: not scanned yet. \`failed\`: given up before it was read, so it has no certificate.
\`no_image\`: the file is not an image. \`certified\`: the shop serves the certified file. \`not_served\`: the service signed
it, but the shop serves the unsigned file: upload the signed one. \`no_manifest\`, \`manifest_remote\` (stored elsewhere),
\`manifest_invalid\`, \`issued_to_another_store\`, \`damaged\` (cannot be decoded): reasons why it is not certified.`;

const ImageReportSchema = z
  .object({
    ...identity,
    state: z.enum(IMAGE_STATES).meta({ description: STATE_DESCRIPTION }),
    problem: ImageProblemSchema.optional(),
    manifestFailures: z
      .array(z.string())
      .optional()
      .meta({ description: 'Why its manifest is not valid: status codes of the C2PA specification.' }),
    sourceUhash: z
      .string()
      .optional()
      .meta({ description: 'SHA-256 of the file that the shop served when it was last fetched.' }),
    signedFile: z
      .object({
        url: z.string(),
        uhash: z.string().meta({ description: 'SHA-256 of the signed file.' }),
        mediaType: z.string(),
        timeStamp: z.enum(['trusted', 'none']).meta({
          description:
            '`trusted`: it has an RFC 3161 time stamp of an authority that this service trusts, so it stays valid after the signing certificate expires; `none`: it has no such time stamp and is valid until `validUntil`.',
        }),
        validUntil: z.iso.datetime().optional().meta({
          description:
            'When the signing certificate expires; absent if a time stamp keeps the file valid after that.',
        }),
      })
      .optional()
      .meta({ description: 'The file that the service signed.' }),
  })
  .meta({ id: 'ImageReport', description: 'State of one image.' });

const ImageReportListSchema = z
  .object({ images: z.array(ImageReportSchema), nextCursor })
  .meta({ id: 'ImageReportList' });

const ImageReportQuerySchema = z.strictObject({
  state: z
    .enum([...IMAGE_STATES, 'retrying', 'signed', 'unstamped'])
    .optional()
    .meta({
      description:
        'Absent: all. `retrying`: the last attempt failed and is repeated soon; `signed`: signed by the service, served or not; `unstamped`: signed by the service without a trusted time stamp.',
    }),
  productId: z.guid().optional().meta({ description: 'Only images of this product.' }),
  cursor: z.guid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const ImageRetrySchema = z
  .strictObject({
    imageIds: z
      .array(z.guid())
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Absent: all images of the store.' }),
    which: z.enum(['failed', 'uncertified']).default('failed').meta({
      description:
        '`failed`: images given up for now. `uncertified`: also those that were scanned and do not count as certified, for example because files were replaced at the shop since then.',
    }),
  })
  .meta({ id: 'ImageRetry' });

const ImageRetryResultSchema = z
  .object({ retried: z.int().meta({ description: 'Number of images that are scanned again.' }) })
  .meta({ id: 'ImageRetryResult' });

export type ImageProgress = Wire<z.infer<typeof ImageProgressSchema>>;
export type ImageRetry = z.output<typeof ImageRetrySchema>;
export type FailedImage = Wire<z.infer<typeof FailedImageSchema>>;
export type ImageState = (typeof IMAGE_STATES)[number];
export type ImageProblem = Wire<z.infer<typeof ImageProblemSchema>>;
export type ImageReport = Wire<z.infer<typeof ImageReportSchema>>;
export type ImageReportList = Wire<z.infer<typeof ImageReportListSchema>>;
export type ImageReportQuery = z.infer<typeof ImageReportQuerySchema>;
export type FailedImageList = Wire<z.infer<typeof FailedImageListSchema>>;

export const getImageProgress = defineOperation({
  ...common,
  id: 'getImageProgress',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/images/progress`,
  summary: 'Get the progress of the images of a store',
  params: StoreParams,
  replies: { 200: { description: 'Counts, and images per second.', schema: ImageProgressSchema } },
  errors: ['store_unknown'],
});

export const listImages = defineOperation({
  ...common,
  id: 'listImages',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/images`,
  summary: 'List the images of a store with their states',
  description:
    'Each has the reason why it is not certified, and the address of the file that the service signed.',
  params: StoreParams,
  query: ImageReportQuerySchema,
  replies: { 200: { description: 'One page of images.', schema: ImageReportListSchema } },
  errors: ['store_unknown'],
});

export const listFailedImages = defineOperation({
  ...common,
  id: 'listFailedImages',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/images/failed`,
  summary: 'List images that could not be scanned',
  description: 'Each has the reason and the next step; docs/codes.md lists the codes.',
  params: StoreParams,
  query: FailedImageQuerySchema,
  replies: { 200: { description: 'One page of failed images.', schema: FailedImageListSchema } },
  errors: ['store_unknown'],
});

export const retryFailedImages = defineOperation({
  ...common,
  id: 'retryFailedImages',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/images/retry`,
  summary: 'Scan failed or uncertified images again now',
  params: StoreParams,
  body: ImageRetrySchema.optional(),
  replies: {
    200: { description: 'Number of images that are scanned again.', schema: ImageRetryResultSchema },
  },
  errors: ['store_unknown'],
});
