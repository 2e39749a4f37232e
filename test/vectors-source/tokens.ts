import { createHmac, sign as signBytes } from 'node:crypto';
import type { VectorKey } from './keys.ts';

/** Seconds since 1970 at which vectors are verified by default: 2026-03-04T12:00:00Z. */
export const NOW = Date.UTC(2026, 2, 4, 12) / 1000;
export const DAY = 86_400;
export const WEEK = 7 * DAY;
/** A day before NOW. */
export const ISSUED_AT = NOW - DAY;

export const ISSUER = 'https://certificates.example';
/** 0, 9, a and f in every group, so that no parser passes with a narrower pattern. */
export const PRODUCT_ID = '09fa6079-90af-4a0f-9af0-e09fc1f90ae7';
export const OTHER_PRODUCT_ID = '16fd2706-8baf-433b-82eb-8c7fada847da';
export const ASSET_ID = '3d813cbb-47fb-42ba-91df-831e1593ac29';
export const PAGE_URL = 'https://shop.example/products/kettle';

export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a valid product proof (spec "Proof JWT"), with changes; `undefined` removes a claim. */
export function productClaims(changes: Claims = {}): Claims {
  return {
    iss: ISSUER,
    iat: ISSUED_AT,
    exp: ISSUED_AT + WEEK,
    domain: 'shop.example',
    url: PAGE_URL,
    productId: PRODUCT_ID,
    externalProductId: 'kettle-7',
    productName: 'Enamel kettle',
    storeName: 'Kettle House',
    storeUrl: 'https://shop.example/',
    certifiedAssets: 3,
    totalAssets: 4,
    coveragePercent: 75,
    ...changes,
  };
}

/** The claims of a valid asset or image proof; `idName` is the claim with its id. */
export function imageClaims(idName: 'assetId' | 'imageId'): Claims {
  const { certifiedAssets: _1, totalAssets: _2, coveragePercent: _3, ...common } = productClaims();
  return { ...common, [idName]: ASSET_ID, contentUrl: 'https://shop.example/kettle.jpg' };
}

export const TYP = {
  product: 'product-certificate+jwt',
  asset: 'asset-certificate+jwt',
  image: 'image-certificate+jwt',
} as const;

type SignatureOf = (data: Buffer) => Buffer;

/** RSASSA-PKCS1-v1_5 with SHA-256, the only allowed algorithm. */
export function rs256({ privateKey }: Pick<VectorKey, 'privateKey'>, hash = 'sha256'): SignatureOf {
  return (data) => signBytes(hash, data, privateKey);
}

/** HMAC with SHA-256 and any secret: the attack that uses a public key as the secret. */
export function hs256(secret: string | Buffer): SignatureOf {
  return (data) => createHmac('sha256', secret).update(data).digest();
}

/** A compact JWS of exactly these two texts or objects. */
export function compact(head: unknown, payload: unknown, signature: SignatureOf): string {
  const signingInput = `${encoded(head)}.${encoded(payload)}`;
  return `${signingInput}.${signature(Buffer.from(signingInput, 'ascii')).toString('base64url')}`;
}

/** Base64url of a text, of bytes, or of an object as JSON. */
export function encoded(part: unknown): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('base64url');
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part), 'utf8').toString('base64url');
}

/** The header of a valid product proof, with changes. */
export function header(key: Pick<VectorKey, 'kid'>, changes: Claims = {}): Claims {
  return { alg: 'RS256', kid: key.kid, typ: TYP.product, ...changes };
}

/** A valid product proof by this key, with changes of claims and header. */
export function proof(key: VectorKey, claims: Claims = {}, headerChanges: Claims = {}): string {
  return compact(header(key, headerChanges), productClaims(claims), rs256(key));
}
