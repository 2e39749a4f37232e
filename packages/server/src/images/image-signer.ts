import type { SignerTrust } from '@touchstone/certificate';
import type { ManifestSigner } from '@touchstone/image/node';

/** Who signs images that carry no manifest of their own. */
export interface ImageSigner {
  readonly credentials: ManifestSigner;
  /** What the trust list says of this signer. */
  trust(): Promise<SignerTrust>;
  /** Has an image that was just signed looked at, the first time: chain and list do not change while we run. */
  learnTrust(look: () => Promise<SignerTrust>): Promise<void>;
}

/** @param unknown - what is said until a signature was seen: that the list does not know the signer */
export function createImageSigner(credentials: ManifestSigner, unknown: SignerTrust): ImageSigner {
  let seen: SignerTrust | undefined;
  return {
    credentials,
    trust: async () => seen ?? unknown,
    async learnTrust(look) {
      seen ??= await look();
    },
  };
}
