import { createHash } from 'node:crypto';
import { productCertificatePath } from '@touchstone/certificate';
import { pageKey } from '@touchstone/certificate/binding';
import { getJwks } from '@touchstone/contract';

/** Path of a copy below the place, as the service has it: without the slash at its beginning. */
export type CopyPath = string & { readonly copyPath: true };

/** @param path - as the service has it */
export const pathOf = (path: string) => path.slice(1) as CopyPath;

export const KEYS_PATH = pathOf(getJwks.path);

export function certificateCopyPath(productId: string): CopyPath {
  return pathOf(productCertificatePath(productId));
}

/** Names the list of a page: SHA-256 of the key of the signed address (`pageKey`), hex. */
export function pageDigest(signedUrl: string): string {
  return createHash('sha256')
    .update(pageKey(signedUrl) ?? signedUrl)
    .digest('hex');
}

export function pageCopyPath(digest: string): CopyPath {
  return pathOf(`/api/v1/mc4p/certificates/by-page/${digest}.json`);
}

/** `products.page_key` of this page's products. */
export function storedKeyOf(digest: string): string {
  return Buffer.from(digest, 'hex').readBigInt64BE().toString();
}
