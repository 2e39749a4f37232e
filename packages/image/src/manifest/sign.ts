import { WasmBuilder } from '@contentauth/c2pa-wasm';
import type { ImageMediaType } from '../header/image-header.ts';
import { engineSettings } from './engine.ts';

/** The contents of a manifest to be signed. */
export interface ManifestToSign {
  /** Title of the image. */
  readonly title: string;
  /** The program that signs, and its version. */
  readonly claimGenerator: { readonly name: string; readonly version: string };
  /** Actions, after `c2pa.opened`, which is added and names the source image as parent. */
  readonly actions: readonly ActionToSign[];
  /** Plain JSON under custom labels, such as `org.example.product`. */
  readonly assertions: readonly { readonly label: string; readonly data: unknown }[];
}

/** An action on the image. */
export interface ActionToSign {
  /** An action of the C2PA specification, such as `c2pa.published`. */
  readonly action: string;
  /** RFC 3339. */
  readonly when?: string;
}

/** Creates the COSE_Sign1 of a claim, of at most `size` bytes. */
export interface ClaimSigner {
  readonly algorithm: string;
  readonly size: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Inserts a signed manifest into an image. The source image is its parent, whether its own manifest is valid or not.
 *
 * @param source the image's bytes as a Blob that a `FileReaderSync` of this thread can read
 * @returns the bytes of the signed image, not validated
 * @throws Error of the engine, if it cannot read the bytes as this format
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
