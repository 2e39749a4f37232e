import { MAX_PAGE_URL } from '@touchstone/certificate/binding';
import { VC_JWT } from '@touchstone/certificate/envelope';
import {
  AssetCertificateSchema,
  ImageCertificateSchema,
  ProductCertificateSchema,
} from '@touchstone/certificate/schema';
import { z } from 'zod';
import { CERTIFICATE_CACHE_CONTROL } from '../limits.ts';
import { defineOperation, type Wire } from '../operation.ts';
import { LD_JSON, NOT_MODIFIED, PUBLIC_BASE, uuidParameter } from './shared.ts';
import { webUrl } from './text-fields.ts';

export type ProductCertificate = Wire<z.output<typeof ProductCertificateSchema>>;
export type AssetCertificate = Wire<z.output<typeof AssetCertificateSchema>>;
export type ImageCertificate = Wire<z.output<typeof ImageCertificateSchema>>;

const STATES = `A product that is not active returns an identity-only document (200), without images, coverage, verification
and proof. Unknown, disabled and deleted products return 404.`;

const common = { method: 'GET', tag: 'Certificates', access: 'public', anyOrigin: true } as const;

const AS_CREDENTIAL = `\`Accept: application/vc+jwt\` asks for the certificate as a W3C Verifiable Credential (data model 2.0), which the
key of its proof secures by an enveloping JWS (VC-JOSE-COSE). It contains the certificate whole. A product that is not active has none,
and returns its identity-only document.`;

/** Spec, Endpoints 1. */
export const getProductCertificate = defineOperation({
  ...common,
  id: 'getProductCertificate',
  page: true,
  cacheControl: CERTIFICATE_CACHE_CONTROL,
  surrogateKey: true,
  path: `${PUBLIC_BASE}/products/{product_id}/certificate`,
  summary: 'Get a product certificate',
  description: `${STATES}\n\n${AS_CREDENTIAL}`,
  hot: true,
  params: z.object({ product_id: uuidParameter('The product.') }),
  replies: {
    200: {
      description: 'The certificate; may be cached for a day.',
      schema: ProductCertificateSchema,
      mediaType: LD_JSON,
      alsoAs: VC_JWT,
    },
    304: NOT_MODIFIED,
  },
  errors: ['product_unknown', 'signer_unavailable'],
});

const FIND = `Returns the certificate of the product whose signed page address equals the given one by the rules of
\`boundToUrl\`: tracking and variant parameters that the signed address lacks are ignored. Only products that publish a
certificate on a host of which their merchant has proven control are considered; with the key of a merchant, all of its own, and
with that of an operator, all. If several have the same page, the one whose address matches most of
the given one is returned, then the oldest; \`Link: …; rel="alternate"\` lists others. Of more than 2,500 products whose
addresses differ only in ignored parameters, the oldest are compared.`;

export const findProductCertificate = defineOperation({
  ...common,
  id: 'findProductCertificate',
  cacheControl: CERTIFICATE_CACHE_CONTROL,
  surrogateKey: true,
  contentLocation: true,
  path: `${PUBLIC_BASE}/certificates`,
  summary: 'Find the certificate of a page by its address',
  description: FIND,
  hot: true,
  query: z.strictObject({
    url: webUrl(MAX_PAGE_URL).meta({
      description: 'Address of the page after redirects, percent-encoded as a query value.',
    }),
  }),
  replies: {
    200: {
      description:
        'The certificate, as served by product id; may be cached for a day, but not where a key was sent with the request.',
      schema: ProductCertificateSchema,
      mediaType: LD_JSON,
    },
    304: NOT_MODIFIED,
  },
  errors: ['page_uncertified', 'page_claimed_twice', 'signer_unavailable'],
});

/** Spec, Endpoints 2. */
export const getAssetCertificate = defineOperation({
  ...common,
  id: 'getAssetCertificate',
  page: true,
  cacheControl: CERTIFICATE_CACHE_CONTROL,
  surrogateKey: true,
  path: `${PUBLIC_BASE}/assets/{asset_id}/certificate`,
  summary: 'Get an asset (image) certificate',
  description: STATES,
  hot: true,
  params: z.object({ asset_id: uuidParameter('The image.') }),
  replies: {
    200: {
      description: 'The certificate; may be cached for a day.',
      schema: AssetCertificateSchema,
      mediaType: LD_JSON,
    },
    304: NOT_MODIFIED,
  },
  errors: ['asset_unknown', 'asset_not_image', 'signer_unavailable'],
});

/** Spec, Endpoints 6. */
export const getImageCertificate = defineOperation({
  ...common,
  id: 'getImageCertificate',
  page: true,
  cacheControl: 'no-cache',
  surrogateKey: true,
  path: `${PUBLIC_BASE}/{image_id}/certificate`,
  summary: 'Get an image-keyed certificate',
  description: `The minimal form states that a certificate exists and for which domains. \`full=true\` adds the signed
proof and the data for an offline check of the bytes. Images of a hidden product return 404; images of a product outside
the merchant's plan capacity return 402.`,
  hot: true,
  params: z.object({ image_id: uuidParameter('The image.') }),
  query: z.strictObject({
    full: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Whether to return the full certificate.' }),
  }),
  replies: {
    200: {
      description: 'The certificate; a cached copy must be revalidated before each use.',
      schema: ImageCertificateSchema,
      mediaType: LD_JSON,
    },
    304: NOT_MODIFIED,
  },
  errors: ['image_certificate_unknown', 'certificate_paused', 'signer_unavailable'],
});

/** Target of `contentCredentials.asset.url` of a certificate. */
export const getBlob = defineOperation({
  ...common,
  id: 'getBlob',
  cacheControl: 'public, max-age=31536000, immutable',
  path: `${PUBLIC_BASE}/blobs/{blob}`,
  summary: 'Get the certified bytes of an image',
  description: 'The name contains the SHA-256 of the bytes, so that clients can verify them.',
  params: z.object({
    blob: z.string().max(100).meta({ description: 'SHA-256 of the bytes in hex, and the format.' }),
  }),
  replies: { 200: { description: 'The image.', mediaType: 'image/*' }, 304: NOT_MODIFIED },
  errors: ['image_unknown', 'blobs_unavailable'],
});
