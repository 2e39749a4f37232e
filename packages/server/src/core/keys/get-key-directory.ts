import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { RequestKeys } from './open-curve-keys.ts';
import { signMessage } from './sign-message.ts';
import { SIGNATURE_LIFE } from './sign-request.ts';

/** Seconds for which a copy may be used: far less than the day for which a key is published before it signs. */
const MAX_AGE = 3_600;
const TAG = 'http-message-signatures-directory';

export interface KeyDirectory {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The public keys of our requests (draft-ietf-webbotauth-httpsig-protocol-01, appendix B), signed by each of them, with the digest of the
 * body, for our own authority: a copy on another host proves nothing. `alg` is not shown: the drafts disagree on its names.
 *
 * @param agent - our origin; absent where requests are not signed
 */
export function createGetKeyDirectory(
  keys: Pick<RequestKeys, 'published'>,
  clock: Clock,
  agent: string | undefined,
): () => Promise<KeyDirectory> {
  return async () => {
    if (agent === undefined) throw new ServiceError('requests_not_signed');
    // each signs, which proves possession of it
    const shown = (await keys.published()).flatMap(({ jwk, signer }) => {
      const { kty, crv, kid, use, x } = jwk;
      return signer ? [{ jwk: { kty, crv, kid, use, x }, signer }] : [];
    });
    const body = JSON.stringify({ keys: shown.map(({ jwk }) => jwk) });
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const created = clock();
    // longer than a cached copy is used, so that its signatures are still valid
    const expires = new Date(created.getTime() + (MAX_AGE + SIGNATURE_LIFE) * 1000);
    const components = [
      ['"@authority";req', new URL(agent).host],
      ['"content-digest"', digest],
    ] as const;
    const signed = shown.map(({ signer }, index) =>
      signMessage({ label: `binding${index}`, components, created, expires, tag: TAG }, signer),
    );
    return {
      headers: {
        'content-type': 'application/http-message-signatures-directory+json',
        'cache-control': `public, max-age=${MAX_AGE}`,
        'content-digest': digest,
        'signature-input': signed.map(({ input }) => input).join(', '),
        signature: signed.map(({ signature }) => signature).join(', '),
      },
      body,
    };
  };
}
