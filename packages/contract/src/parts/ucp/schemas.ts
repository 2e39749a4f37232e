import { CONCLUSION_LEVELS } from '@touchstone/certificate';
import { ITEM_FIELDS, ITEM_RESULTS, type ItemFieldName } from '@touchstone/certificate/item';
import { ChecksSchema, PageCheckRequestSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ItemSchema, ItemSourceSchema } from '../items/operations.ts';

const version = z.string().meta({ example: '2026-11-28' });

const Es256KeySchema = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    kid: z.string(),
    use: z.literal('sig'),
    alg: z.literal('ES256'),
    x: z.string().meta({ description: '32 bytes, base64url.' }),
    y: z.string().meta({ description: '32 bytes, base64url.' }),
  })
  .meta({ id: 'Es256Key', description: 'A public key of signals (RFC 7518).' });

const ExtensionSchema = z.object({
  version,
  spec: z.url(),
  schema: z.url(),
  extends: z.array(z.string()),
});

export const UcpProfileSchema = z
  .object({
    ucp: z.object({
      version,
      services: z.record(z.string(), z.never()),
      capabilities: z.record(z.string(), z.array(ExtensionSchema)).meta({
        description: 'Our extension by its name, as a business copies it into its own profile.',
      }),
      payment_handlers: z.record(z.string(), z.never()),
    }),
    keys: z.array(Es256KeySchema),
    signing_keys: z.array(Es256KeySchema).meta({
      description: 'The same keys, where UCP 2026-04-08 looks for them; later versions read `keys`.',
    }),
  })
  .meta({ id: 'UcpProfile' });

const asked = {
  audience: z.string().trim().min(1).max(2_000).nullish().meta({
    description:
      'For whom the statement is: the origin of the business that gets it. Without it, any business may take it for its own.',
    example: 'https://shop.example',
  }),
  nonce: z.string().min(1).max(200).nullish().meta({
    description:
      'Repeated in the statement, so that whoever chose it knows it for the answer to its request.',
  }),
};

export const PageAttestedSchema = PageCheckRequestSchema.pick({ url: true, freshness: true })
  .extend(asked)
  .meta({ id: 'PageSignalRequest' });

export const ItemAttestedSchema = z
  .object({ item: ItemSchema, source: ItemSourceSchema, ...asked })
  .meta({ id: 'ItemSignalRequest' });

const sha256 = z.string().meta({ description: 'SHA-256, base64url.' });
const fields = Object.fromEntries(ITEM_FIELDS.map((name) => [name, z.enum(ITEM_RESULTS)])) as Record<
  ItemFieldName,
  z.ZodEnum<{ agrees: 'agrees'; differs: 'differs'; not_compared: 'not_compared' }>
>;

const AddressSchema = z
  .object({ url: z.string(), querySha256: sha256.optional() })
  .meta({ description: 'Without its query, which may identify a person.' });

const PageSubjectSchema = AddressSchema.extend({
  kind: z.literal('page'),
  landedOn: AddressSchema,
  fetchedAt: z.iso.datetime(),
  sha256: sha256
    .optional()
    .meta({ description: 'Of the bytes of the page; absent if it could not be read.' }),
});

const ItemSubjectSchema = z.object({
  kind: z.literal('item'),
  sha256: sha256.meta({ description: 'SHA-256, base64url, of the canonical JSON (RFC 8785) of the item.' }),
  id: z.string().optional(),
  link: AddressSchema.optional(),
  offeredBy: z.string().optional(),
});

/** What may be unknown of a subject though a verdict was reached. */
export const NOT_SEEN = ['page', 'pictures'] as const;

export const UcpStatementSchema = z
  .object({
    v: z.literal(1),
    iss: z.string(),
    iat: z.int(),
    exp: z.int(),
    jti: z.uuid(),
    aud: z.string().optional(),
    nonce: z.string().optional(),
    subject: z.discriminatedUnion('kind', [PageSubjectSchema, ItemSubjectSchema]),
    verdict: z.string().meta({ description: 'As the service answers it without a signature.' }),
    conclusion: z.object({ level: z.enum(CONCLUSION_LEVELS), code: z.string() }).meta({
      description: 'good: of a page alone. What else a reader does is not for the service to say.',
    }),
    notSeen: z.array(z.enum(NOT_SEEN)).meta({
      description:
        'What the service did not look at: of an item its page, and of both the bytes of pictures.',
    }),
    checks: ChecksSchema.optional(),
    fields: z
      .object(fields)
      .optional()
      .meta({ description: 'Of an item: whether it agrees with what was signed.' }),
    certificate: z
      .object({
        productId: z.string(),
        domain: z.string().optional().meta({ description: 'The signed host.' }),
        proofSha256: sha256.optional().meta({
          description: 'Of the compact JWS in `proof.jwt`; absent if the item did not carry it itself.',
        }),
      })
      .optional(),
    verifier: z.string(),
  })
  .meta({ id: 'UcpStatement', description: 'The claims of a signed statement.' });

export const UcpSignalsSchema = z
  .object({
    signals: z
      .record(
        z.string(),
        z.object({
          provider_jwks: z.url().meta({ description: 'The profile whose keys verify it.' }),
          kid: z.string(),
          jws: z.string().meta({
            description: 'A compact JWS (ES256, typ `touchstone-attestation+jwt`).',
          }),
        }),
      )
      .meta({
        description: 'For `signals` of a request in UCP. The key is made from the host of this service.',
      }),
    statement: UcpStatementSchema,
  })
  .meta({ id: 'UcpSignals' });
