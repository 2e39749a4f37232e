import type { SignerTrust } from '@touchstone/certificate';
import type { ManifestSigner } from '@touchstone/image/node';

/** Who signs images that carry no manifest of their own. */
export interface ImageSigner {
  readonly credentials: ManifestSigner;
  /** When the signer's certificate ends, and every manifest with it. */
  readonly validUntil: Date;
  /**
   * What the trust list says of this signer.
   *
   * @param look - at an image that was just signed; asked once, since chain and list do not change while we run
   */
  trust(look: () => Promise<SignerTrust>): Promise<SignerTrust>;
}

export function createImageSigner(credentials: ManifestSigner, validUntil: Date): ImageSigner {
  let seen: SignerTrust | undefined;
  return {
    credentials,
    validUntil,
    async trust(look) {
      seen ??= await look();
      return seen;
    },
  };
}

/** Milliseconds before its end at which a signature is replaced. */
const AHEAD = 30 * 86_400_000;

/** What decides whether a signature of ours is left as it is. */
export interface SignatureTerms {
  readonly until: Date;
  /** The store still asks for signatures. */
  readonly sign: boolean;
  /** When one made now would end. */
  readonly renewedUntil: Date;
  readonly now: Date;
}

/** Whether a signature stands: it has not ended, and is not to be replaced by one that lasts longer. */
export function isLasting({ until, sign, renewedUntil, now }: SignatureTerms): boolean {
  if (until <= now) return false;
  return !sign || renewedUntil <= until || until.getTime() - now.getTime() > AHEAD;
}
