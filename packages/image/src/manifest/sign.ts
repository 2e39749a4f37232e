import { WasmBuilder } from '@contentauth/c2pa-wasm';
import type { ImageMediaType } from '../header/image-header.ts';
import { engineSettings } from './engine.ts';

/** What we say of an image when we sign it. */
export interface ManifestToSign {
  /** What the image is called. */
  readonly title: string;
  /** Who signs: a program and its version. */
  readonly claimGenerator: { readonly name: string; readonly version: string };
  /**
   * What was done, after `c2pa.opened` on the image as it came, which is put before them and names it as parent.
   */
  readonly actions: readonly ActionToSign[];
  /** Plain JSON under labels of one's own, such as `org.example.product`. */
  readonly assertions: readonly { readonly label: string; readonly data: unknown }[];
}

/** Something that was done to the image. */
export interface ActionToSign {
  /** An action of the C2PA specification, such as `c2pa.published`. */
  readonly action: string;
  /** RFC 3339. */
  readonly when?: string;
}

/** The COSE_Sign1 over a claim, and how many bytes it takes at most. */
export interface ClaimSigner {
  readonly algorithm: string;
  readonly size: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Puts a manifest into an image. The image as it came is its parent, whether its own manifest is valid or not.
 *
 * @param source the image's bytes as a Blob that a `FileReaderSync` of this thread can read
 * @returns the bytes of the signed image, which nobody has validated yet
 * @throws Error by the engine, for what it cannot read as that kind of image
 */
export async function signImage(
  source: Blob,
  mediaType: ImageMediaType,
  manifest: ManifestToSign,
  signer: ClaimSigner,
): Promise<Uint8Array> {
  const builder = WasmBuilder.fromJson(JSON.stringify(definitionOf(manifest)), engineSettings([]));
  try {
    builder.setIntent('edit');
    const definition = { alg: signer.algorithm, reserveSize: signer.size, sign: signer.sign };
    return await builder.sign(definition, [], mediaType, source);
  } finally {
    builder.free();
  }
}

function definitionOf({ title, claimGenerator, actions, assertions }: ManifestToSign) {
  const acts = actions.length === 0 ? [] : [{ label: 'c2pa.actions.v2', data: { actions } }];
  return {
    claim_version: 2,
    title,
    claim_generator_info: [claimGenerator],
    assertions: [...acts, ...assertions],
  };
}
