import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { REGISTRY_BASE } from '../../operations/shared.ts';

const common = { tag: 'Registry', access: 'operator', noStore: true } as const;

const PublicationSchema = z
  .object({
    state: z.enum(['off', 'current', 'working', 'failing']).meta({
      description:
        'off: the service publishes no copies. current: the copies are as the service answers. working: some are being written or removed. failing: the place cannot be written; it is tried again.',
    }),
    place: z.string().optional().meta({ description: 'TOUCHSTONE_PUBLISH_TO of the service.' }),
    certificates: z.int().meta({ description: 'Product certificates of which there is a copy.' }),
    waiting: z
      .int()
      .meta({ description: 'Products whose copies are due within a minute; counted up to 10,000.' }),
    unread: z.int().meta({
      description: 'Products whose certificate could not be read; the copy stays, and it is tried again.',
    }),
    failure: z
      .object({ code: z.string(), detail: z.string(), at: z.iso.datetime() })
      .optional()
      .meta({ description: 'Why the last attempt to write failed.' }),
  })
  .meta({ id: 'Publication', description: 'State of the static copies.' });

export type Publication = Wire<z.output<typeof PublicationSchema>>;

export const getPublication = defineOperation({
  ...common,
  id: 'getPublication',
  method: 'GET',
  path: `${REGISTRY_BASE}/publication`,
  summary: 'State of the static copies',
  replies: { 200: { description: 'The state.', schema: PublicationSchema } },
  errors: [],
});

export const publishAnew = defineOperation({
  ...common,
  id: 'publishAnew',
  method: 'POST',
  path: `${REGISTRY_BASE}/publication`,
  summary: 'Write all static copies anew',
  description:
    'For a place that was emptied or restored. What has changed since is written without this call.',
  replies: { 202: { description: 'It has begun.', schema: PublicationSchema } },
  errors: [],
});
