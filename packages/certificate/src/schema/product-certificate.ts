import { z } from 'zod';
import {
  ContentCredentialsSchema,
  EntryPointSchema,
  JsonLdContextSchema,
  LogProofSchema,
  Uuid,
} from './parts.ts';

/** Members of every product document, active or not. */
const identity = {
  '@context': JsonLdContextSchema,
  '@type': z.literal('Product'),
  productID: Uuid,
  url: z.string(),
  'svc:issuedFor': z.object({ domain: z.string(), productID: Uuid }),
  'svc:status': z.object({ canonicalSource: EntryPointSchema }),
};

/** Spec "Product certificate", rule 2: no key beyond these. */
export const IdentityOnlyProductSchema = z.strictObject(identity).meta({
  id: 'IdentityOnlyProduct',
  description: 'A registered product that publishes no trust data at the moment.',
});

const ProductImageSchema = z
  .object({
    '@type': z.literal('ImageObject'),
    contentUrl: z.string(),
    encodingFormat: z.string().optional(),
    width: z.int().optional(),
    height: z.int().optional(),
    certification: z.object({
      '@type': z.literal('ImageObject'),
      url: z
        .string()
        .optional()
        .meta({ description: 'Absent if the image could not be scanned: it then has no certificate.' }),
      'svc:assetId': Uuid,
      'svc:contentCredentials': ContentCredentialsSchema.optional(),
    }),
  })
  .meta({ id: 'ProductImage', description: 'One image, with the address of its asset certificate.' });

/** Coverage counts: not a score, only a number of images out of a total (spec "Boundaries"). */
export const TrustSchema = z
  .object({
    certifiedAssets: z.int().min(0),
    totalAssets: z.int().min(0),
    coveragePercent: z.number().min(0).max(100),
  })
  .meta({ id: 'Trust', description: 'How many of the product’s images have a C2PA certification.' });

/** Spec "Product certificate" of an active product. */
export const FullProductCertificateSchema = z
  .strictObject({
    ...identity,
    'svc:record': z.object({
      recordUrl: z.string(),
      recordUrlMethod: z.literal('GET'),
      recordId: Uuid,
      issuedAt: z.iso.datetime(),
    }),
    'svc:images': z.array(ProductImageSchema),
    additionalProperty: z.array(
      z.object({ '@type': z.literal('PropertyValue'), name: z.string(), value: z.string() }),
    ),
    'svc:trust': TrustSchema,
    verification: z.object({
      canonicalSource: EntryPointSchema,
      verifyEndpoint: z.object({
        '@type': z.literal('WebAPI'),
        name: z.string(),
        description: z.string(),
        httpMethod: z.literal('POST'),
        url: z.string(),
      }),
      hasSignature: z.boolean(),
      mcp: z.object({ tool: z.string() }),
    }),
    proof: z.object({
      type: z.literal('JsonWebSignature2020'),
      jwt: z.string(),
      algorithm: z.literal('RS256'),
    }),
    'svc:logProof': LogProofSchema,
  })
  .meta({ id: 'FullProductCertificate', description: 'The signed certificate of an active product.' });

/** Response of `GET …/products/{product_id}/certificate`. */
export const ProductCertificateSchema = z
  .union([FullProductCertificateSchema, IdentityOnlyProductSchema])
  .meta({ id: 'ProductCertificate' });
