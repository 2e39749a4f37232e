import { z } from 'zod';
import {
  ContentCredentialsSchema,
  EntryPointSchema,
  JsonLdContextSchema,
  LogProofSchema,
  Uuid,
} from './parts.ts';

const identity = {
  '@context': JsonLdContextSchema.optional(),
  '@type': z.literal('ImageObject').default('ImageObject'),
  contentUrl: z.string().optional(),
  encodingFormat: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  uploadDate: z.string().optional(),
  'svc:issuedFor': z.object({
    domain: z.string().optional(),
    assetId: Uuid,
    mediaID: z.string().optional(),
    productID: Uuid.optional(),
    url: z.string().optional(),
  }),
  'svc:status': z.object({ canonicalSource: EntryPointSchema }),
};

/** The blockchain record of an image, if there is one. */
export const NftSchema = z
  .object({
    '@type': z.literal('PropertyValue').default('PropertyValue'),
    name: z.string().default('Blockchain Certification'),
    minted: z.boolean(),
    description: z.string(),
    tokenId: z.string().optional(),
    transactionHash: z.string().optional(),
    explorerUrl: z.string().optional(),
  })
  .meta({ id: 'Nft' });

/** Spec "Asset certificate"; for a product that is not active, only the identity (other members are absent, never null). */
export const AssetCertificateSchema = z
  .strictObject({
    ...identity,
    'svc:contentCredentials': ContentCredentialsSchema.optional(),
    'svc:nft': NftSchema.optional(),
    verification: z
      .object({
        canonicalUrl: z.string(),
        canonicalSource: EntryPointSchema,
        hasSignature: z.boolean(),
        hasBlockchain: z.boolean(),
        summary: z.string().optional(),
        trustAnchor: z
          .object({
            type: z.string(),
            status: z.enum(['trusted', 'untrusted', 'unknown', 'none']).meta({
              description:
                'Whether the signer of the manifest is on the trust list; `unknown`: the service has no list, `none`: no manifest is valid.',
            }),
            description: z.string().optional(),
            trustList: z.string().optional(),
            trustListDate: z.string().optional(),
            signer: z.string().optional(),
            trustedDomains: z.array(z.string()),
          })
          .optional(),
      })
      .optional(),
    proof: z
      .object({
        type: z.string(),
        jwt: z.string(),
        verificationMethod: z.string(),
        proofPurpose: z.string(),
        algorithm: z.string(),
      })
      .optional(),
    'svc:logProof': LogProofSchema,
  })
  .meta({ id: 'AssetCertificate', description: 'The certificate of one image of a product.' });
