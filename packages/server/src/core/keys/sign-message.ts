/** Signs with one key on an elliptic curve: the base of an HTTP message (RFC 9421), or a JWS. */
export interface MessageSigner {
  /** RFC 7638 thumbprint of the key. */
  readonly keyid: string;
  /** Ed25519, or ES256 if the key is on P-256. */
  sign(bytes: Uint8Array): Uint8Array;
}

export interface MessageSignature {
  /** Name of the signature in both headers. */
  readonly label: string;
  /** Component identifiers in their serialised form (quotes, parameters), with their values, in order. */
  readonly components: readonly (readonly [identifier: string, value: string])[];
  readonly created: Date;
  readonly expires: Date;
  readonly nonce?: string;
  readonly tag: string;
}

/**
 * Signs components of an HTTP message: the signature base of RFC 9421 section 2.5, under Ed25519 (section 3.3.6).
 *
 * @param signer - Ed25519
 * @returns the members for `Signature-Input` and `Signature`
 */
export function signMessage(
  { label, components, created, expires, nonce, tag }: MessageSignature,
  signer: MessageSigner,
): { readonly input: string; readonly signature: string } {
  const parameters = [
    `created=${seconds(created)}`,
    `keyid="${signer.keyid}"`,
    'alg="ed25519"',
    `expires=${seconds(expires)}`,
    ...(nonce === undefined ? [] : [`nonce="${nonce}"`]),
    `tag="${tag}"`,
  ];
  const names = components.map(([identifier]) => identifier).join(' ');
  const signed = `(${names});${parameters.join(';')}`;
  const lines = components.map(([identifier, value]) => `${identifier}: ${value}`);
  const base = [...lines, `"@signature-params": ${signed}`].join('\n');
  const signature = Buffer.from(signer.sign(Buffer.from(base))).toString('base64');
  return { input: `${label}=${signed}`, signature: `${label}=:${signature}:` };
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
