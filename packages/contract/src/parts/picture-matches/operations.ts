import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { PUBLIC_BASE, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';
import { PICTURE_CODES, type PictureCode } from './codes.ts';

/** Seconds that a caller may wait for pictures to be fetched. */
export const MAX_PICTURE_WAIT = 20;
/** Seconds for which what was read of a page's pictures is used. */
export const PICTURES_KEPT = 3_600;
/** Hosts that a store may allow; images that it may mark. */
export const MAX_ALLOWED_HOSTS = 100;
export const MAX_MAKERS_IMAGES = 1_000;

export const PictureMatchSchema = z
  .object({
    host: z.string().meta({ description: 'A host whose control the shop has proven.' }),
    pictures: z.int().meta({ description: 'Pictures of the page that are certified for this shop.' }),
    of: z.int().meta({ description: 'Pictures of the page that were compared.' }),
    since: z.iso.datetime().meta({
      description: 'When the first of them was certified in this registry; they may be older elsewhere.',
    }),
    same: z.array(z.enum(['name', 'gtin', 'text'])).meta({
      description:
        'What else the page has as a product of this shop with one of these pictures; text: its description, as the shop’s own page had it when it was last read.',
    }),
    textShare: z.number().min(0).max(1).optional().meta({
      description:
        'With `text` in `same`: the share of the phrases of both texts that are in each, estimated to within about 0.1.',
    }),
    statement: z.string().meta({ description: 'The facts in one sentence.' }),
    addresses: z
      .array(z.string())
      .meta({ description: 'The addresses of these pictures, as the page states them; untrusted.' }),
  })
  .meta({
    id: 'PictureMatch',
    description: 'A shop for which pictures of the page are certified. Only a fact with its date.',
  });

const codes = Object.keys(PICTURE_CODES) as [PictureCode, ...PictureCode[]];

const PictureMatchesSchema = z
  .object({
    id: z.uuid().meta({ description: 'Of the report.' }),
    state: z.enum(['pending', 'done']).meta({
      description: 'pending: the pictures are being fetched; ask again in a few seconds, or with `wait`.',
    }),
    readAt: z.iso.datetime().optional().meta({ description: 'When the pictures were fetched.' }),
    matches: z.array(PictureMatchSchema).meta({ description: 'The shop with the most pictures first.' }),
    findings: z.array(
      z.object({
        code: z.enum(codes),
        sentence: z.string(),
        pictures: z.int().optional().meta({ description: 'How many pictures it is about.' }),
      }),
    ),
  })
  .meta({ id: 'PictureMatches', description: 'Where the pictures of a page are certified.' });

export type PictureMatches = Wire<z.output<typeof PictureMatchesSchema>>;
export type PictureMatch = PictureMatches['matches'][number];
export type PictureFinding = PictureMatches['findings'][number];

export const getPageCheckPictures = defineOperation({
  id: 'getPageCheckPictures',
  tag: 'Verification',
  access: 'public',
  anyOrigin: true,
  noStore: true,
  method: 'GET',
  path: `${PUBLIC_BASE}/page-checks/{id}/pictures`,
  summary: 'Find where the pictures of a checked page are certified',
  description: `Compares up to 12 pictures of the page with those that shops on proven hosts publish, by their appearance: copies that were
resized, recompressed or padded to a square are found. The first call has them fetched, within the caller's budgets for fetches; they are
used for an hour, and compared anew on every call. The report itself does not change.`,
  params: z.object({ id: uuidParameter('The id of the report.') }),
  query: z.strictObject({
    wait: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_PICTURE_WAIT)
      .default(0)
      .meta({ description: 'Seconds to wait until the pictures are fetched.' }),
  }),
  replies: { 200: { description: 'What is known so far.', schema: PictureMatchesSchema } },
  errors: ['page_check_unknown'],
});

const PictureSettingsSchema = z
  .strictObject({
    told: z.boolean().meta({
      description: 'Whether others are told that pictures of their pages are certified for this store.',
    }),
    makersPictures: z.boolean().meta({
      description:
        'All pictures of the store are those of the makers of its goods: they prove nothing about other shops.',
    }),
    makersImages: z
      .array(z.guid())
      .max(MAX_MAKERS_IMAGES)
      .meta({ description: 'The same for single images, by id.' }),
    allowedHosts: z
      .array(
        z.string().regex(/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{0,251}[a-z0-9]$/, {
          message: 'Input should be a hostname in lower case, such as partner.example',
        }),
      )
      .max(MAX_ALLOWED_HOSTS)
      .meta({ description: 'Hosts that may use the pictures: about their pages, nothing is told.' }),
  })
  .meta({ id: 'PictureSettings', description: 'What is told about the pictures of a store.' });

export type PictureSettings = Wire<z.output<typeof PictureSettingsSchema>>;

const settings = { tag: 'Registry', access: 'merchant', noStore: true } as const;
const PATH = `${REGISTRY_BASE}/stores/{store_id}/picture-settings`;

export const getPictureSettings = defineOperation({
  ...settings,
  id: 'getPictureSettings',
  method: 'GET',
  path: PATH,
  summary: 'Get what is told about the pictures of a store',
  params: StoreParams,
  replies: { 200: { description: 'The settings.', schema: PictureSettingsSchema } },
  errors: ['store_unknown'],
});

export const setPictureSettings = defineOperation({
  ...settings,
  id: 'setPictureSettings',
  method: 'PUT',
  path: PATH,
  summary: 'Set what is told about the pictures of a store',
  params: StoreParams,
  body: PictureSettingsSchema,
  replies: { 200: { description: 'The settings.', schema: PictureSettingsSchema } },
  errors: ['store_unknown'],
});
