import { z } from 'zod';

export const ImageProgressSchema = z
  .object({
    total: z.int().meta({ description: 'Images of the store, but for those that were taken off.' }),
    done: z.int().meta({ description: 'Looked at to the end.' }),
    failed: z.int().meta({ description: 'Given up for now; see the list of failed images.' }),
    waiting: z.int().meta({ description: 'Not looked at yet, or being looked at.' }),
    retrying: z.int().meta({ description: 'Of those done or waiting: the last attempt came to nothing.' }),
    certified: z.int().meta({ description: 'Carry a C2PA manifest that validates.' }),
    signedByUs: z.int().meta({ description: 'Of the certified: by a manifest that this service signed.' }),
    perSecond: z.number().meta({ description: 'Images that came to an end, on average of the last minute.' }),
  })
  .meta({ id: 'ImageProgress', description: 'How far looking at the images of a store has come.' });

const FailedImageSchema = z
  .object({
    id: z.uuid(),
    url: z.string(),
    productId: z.uuid(),
    externalProductId: z.string(),
    code: z.string(),
    message: z.string().meta({ description: 'Why, in words.' }),
    nextStep: z.string().meta({ description: 'What to do about it.' }),
    attempts: z.int(),
    failedAt: z.string(),
    nextAttemptAt: z.iso.datetime().optional().meta({ description: 'When it is looked at again by itself.' }),
  })
  .meta({ id: 'FailedImage' });

export const FailedImageListSchema = z
  .object({
    images: z.array(FailedImageSchema),
    nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
  })
  .meta({ id: 'FailedImageList' });

export const FailedImageQuerySchema = z.object({
  cursor: z.guid().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const ImageRetrySchema = z
  .strictObject({
    imageIds: z
      .array(z.guid())
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Absent: all failed images of the store.' }),
  })
  .meta({ id: 'ImageRetry' });

export const ImageRetryResultSchema = z
  .object({ retried: z.int().meta({ description: 'How many are looked at again.' }) })
  .meta({ id: 'ImageRetryResult' });

export type ImageProgress = z.infer<typeof ImageProgressSchema>;
export type FailedImage = z.infer<typeof FailedImageSchema>;
export type FailedImageList = z.infer<typeof FailedImageListSchema>;
