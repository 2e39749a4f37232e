import { boundMembers } from '../agreement/signed-values.ts';
import { imageKey } from '../binding/image-key.ts';
import { MAX_PAGE_URL } from '../binding/normalize-page-url.ts';
import type { StatedPicture } from './types.ts';

type Node = Readonly<Record<string, unknown>>;

/** A picture that a certificate signs. */
export interface SignedPicture {
  readonly url: string;
  /** SHA-256 of the certified file and of the file that it was made from, hex; empty until it was scanned. */
  readonly hashes: readonly string[];
}

/** Pictures that are compared; a certificate has no more. */
const MAX_PICTURES = 250;

/** The pictures of a certificate whose integrity was found good, as far as its proof binds them. */
export function signedPictures(document: Node): readonly SignedPicture[] {
  return boundMembers(document)('svc:images')
    .slice(0, MAX_PICTURES)
    .flatMap(({ contentUrl, certification }) =>
      typeof contentUrl === 'string' ? [{ url: contentUrl, hashes: hashesOf(certification) }] : [],
    );
}

function hashesOf(certification: unknown): string[] {
  const credentials = memberOf(certification, 'svc:contentCredentials');
  const found = [memberOf(memberOf(credentials, 'hashes'), 'uhash'), memberOf(credentials, 'sourceUhash')];
  return found.filter((hash) => typeof hash === 'string');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Node)[name] : undefined;
}

/** The pictures of an item that the certificate does not sign. A stated hash decides where the picture of this address has a signed one. */
export function picturesUnsigned(
  signed: readonly SignedPicture[],
  stated: readonly StatedPicture[],
): readonly StatedPicture[] {
  const hashes = new Set(signed.flatMap((picture) => picture.hashes));
  /** Whether a signed picture of this address has a hash, by its key. */
  const byKey = new Map<string, boolean>();
  for (const picture of signed) {
    const key = imageKey(picture.url);
    if (key !== null) byKey.set(key, byKey.get(key) === true || picture.hashes.length > 0);
  }
  return stated.filter(({ url, sha256 }) => {
    const hash = sha256?.toLowerCase();
    if (hash !== undefined && hashes.has(hash)) return false;
    // a longer address is none that was signed
    const isHashed = url.length > MAX_PAGE_URL ? undefined : byKey.get(imageKey(url) ?? '');
    return isHashed === undefined || (isHashed && hash !== undefined);
  });
}
