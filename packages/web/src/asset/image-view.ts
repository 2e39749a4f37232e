import type { ProofKind } from '@touchstone/certificate';
import {
  type AssetAnswer,
  type Credentials,
  certifiedFile,
  type ImageAnswer,
} from '../certificate/answers.ts';

/** The common data of an image's two kinds of certificates, with optional data that only one of them has. */
export interface ImageView {
  readonly kind: ProofKind;
  readonly id: string;
  readonly document: object;
  readonly jwt: string | undefined;
  readonly domain: string | undefined;
  readonly productId: string | undefined;
  readonly pageUrl: string | undefined;
  /** Address of the image in the shop. */
  readonly contentUrl: string | undefined;
  /** Path of the certified bytes at this service. */
  readonly file: string | undefined;
  readonly format: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly uploaded: string | undefined;
  readonly updated: string | undefined;
  readonly credentials: Partial<Credentials> | undefined;
  readonly trust: NonNullable<AssetAnswer['verification']>['trustAnchor'];
  readonly nft: AssetAnswer['svc:nft'];
}

export function assetView(document: AssetAnswer): ImageView {
  const { contentUrl, encodingFormat, width, height, uploadDate } = document;
  const { assetId, domain, productID, url } = document['svc:issuedFor'];
  const credentials = document['svc:contentCredentials'];
  return {
    kind: 'asset',
    id: assetId,
    document,
    jwt: document.proof?.jwt,
    domain,
    productId: productID,
    pageUrl: url,
    contentUrl,
    file: certifiedFile(credentials, encodingFormat),
    format: encodingFormat,
    width,
    height,
    uploaded: uploadDate,
    updated: undefined,
    credentials,
    trust: document.verification?.trustAnchor,
    nft: document['svc:nft'],
  };
}

export function imageView(document: ImageAnswer): ImageView {
  const { imageId, contentUrl, encodingFormat, width, height, contentCredentials: credentials } = document;
  const { domain, productID, url } = document['svc:issuedFor'];
  return {
    kind: 'image',
    id: imageId,
    document,
    jwt: document.proof.jwt,
    domain,
    productId: productID,
    pageUrl: url,
    contentUrl,
    file: certifiedFile(credentials, encodingFormat),
    format: encodingFormat,
    width,
    height,
    uploaded: undefined,
    updated: credentials.lastUpdated,
    credentials,
    trust: undefined,
    nft: undefined,
  };
}
