import type { Jwks } from '@touchstone/contract';
import { ServiceError } from '../platform/errors.ts';
import { type RenderedDocument, renderDocument } from '../platform/http/rendered-document.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Spec, Endpoints 5: the public keys that proofs are verified with.
 *
 * @throws ServiceError `keys_unavailable`
 */
export type GetJwks = () => Promise<RenderedDocument<Jwks>>;

export function createGetJwks({ keys }: { readonly keys: Pick<KeyRing, 'published'> }): GetJwks {
  return async () => {
    const jwks = await keys.published().catch((cause: unknown) => {
      if (cause instanceof ServiceError && cause.code === 'database_unavailable') {
        throw new ServiceError('keys_unavailable', { cause, retryAfter: cause.retryAfter ?? 2 });
      }
      throw cause;
    });
    return renderDocument(jwks, {
      'content-type': 'application/json',
      // far less than the day that a key is published before it signs
      'cache-control': 'public, max-age=3600',
    });
  };
}
