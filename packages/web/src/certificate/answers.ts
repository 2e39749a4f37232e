import type {
  AssetCertificateSchema,
  FullImageCertificateSchema,
  FullProductCertificateSchema,
  IdentityOnlyProductSchema,
  MinimalImageCertificateSchema,
  Wire,
} from '@touchstone/certificate/schema';

type Of<T extends { _output: unknown }> = Wire<T['_output']>;

/** The JSON responses at the addresses of certificates. */
export type ProductAnswer = Of<typeof FullProductCertificateSchema> | Of<typeof IdentityOnlyProductSchema>;
export type ProductCertificate = Of<typeof FullProductCertificateSchema>;
export type AssetAnswer = Of<typeof AssetCertificateSchema>;
export type ImageAnswer = Of<typeof FullImageCertificateSchema>;
export type MinimalImageAnswer = Of<typeof MinimalImageCertificateSchema>;

/** One image in a product's certificate. */
export type ImageEntry = ProductCertificate['svc:images'][number];
export type Credentials = NonNullable<ImageEntry['certification']['svc:contentCredentials']>;

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/gif': 'gif',
};

/**
 * Path of an image's certified bytes at this service; files are named by their hash.
 *
 * @param format - media type
 */
export function certifiedFile(
  credentials: Partial<Credentials> | undefined,
  format: string | undefined,
): string | undefined {
  const extension = EXTENSIONS[format ?? ''];
  const uhash = credentials?.hashes?.uhash;
  if (credentials?.served === undefined || uhash === undefined || extension === undefined) return undefined;
  return /^[0-9a-f]{64}$/.test(uhash) ? `/api/v1/mc4p/blobs/${uhash}.${extension}` : undefined;
}

/** State of an image, by its name in the text catalogue. */
export type ImageState =
  | 'certified'
  | 'source'
  | 'invalid'
  | 'none'
  | 'remote'
  | 'another_store'
  | 'unscanned';

export function imageState(credentials: Partial<Credentials> | undefined): ImageState {
  if (credentials?.hasC2PA === undefined) return 'unscanned';
  if (credentials.finding === 'image_issued_to_another_store') return 'another_store';
  if (credentials.finding === 'image_manifest_remote') return 'remote';
  if (credentials.served === 'source') return 'source';
  if (credentials.hasC2PA) return 'certified';
  return credentials.hasManifest ? 'invalid' : 'none';
}
