import type { Jwks } from '@touchstone/contract';
import { andThen } from '../../platform/and-then.ts';
import type { ChangeHub } from '../../platform/cache/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { isDatabaseFault } from '../../platform/database/database-fault.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type RenderedDocument, renderDocument } from '../../platform/http/rendered-document.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Spec, Endpoints 5: the public keys that proofs are verified with.
 *
 * @throws ServiceError `keys_unavailable`
 */
export type GetJwks = () => RenderedDocument<Jwks> | Promise<RenderedDocument<Jwks>>;

export interface GetJwksOptions {
  readonly keys: Pick<KeyRing, 'published' | 'areStale'>;
  readonly clock: Clock;
  /** Where changes of keys are announced. */
  readonly hub: Pick<ChangeHub, 'subscribe'>;
}

/** Seconds for which a copy may be used, here or in a cache: far less than the day for which a key is published before it signs. */
const MAX_AGE = 3_600;

/**
 * While the database is not reachable, the keys last read are served only as long as a cache may keep them: a revoked key
 * disappears everywhere within an hour of its revocation, even during an outage.
 */
export function createGetJwks({ keys, clock, hub }: GetJwksOptions): GetJwks {
  const rendered = new WeakMap<Jwks, RenderedDocument<Jwks>>();
  let last: { readonly jwks: Jwks; readonly readAt: number } | undefined;
  let changes = 0;
  hub.subscribe((change) => {
    // others mean that changes may have been missed, which the maximum age allows for
    if (!change.startsWith('k:')) return;
    changes += 1;
    last = undefined;
  });
  const fresh = (jwks: Jwks): RenderedDocument<Jwks> => {
    const known = rendered.get(jwks) ?? render(jwks, MAX_AGE);
    rendered.set(jwks, known);
    return known;
  };
  const copyFor = (cause: unknown): RenderedDocument<Jwks> => {
    if (!isDatabaseFault(cause)) throw cause;
    const left = last === undefined ? 0 : MAX_AGE - Math.ceil((clock().getTime() - last.readAt) / 1000);
    if (last !== undefined && left > 0 && left <= MAX_AGE) return render(last.jwks, left);
    const retryAfter = cause instanceof ServiceError ? cause.retryAfter : undefined;
    throw new ServiceError('keys_unavailable', { cause, retryAfter: retryAfter ?? 2 });
  };
  return () => {
    const before = changes;
    const readAt = clock().getTime();
    const read = andThen(keys.published(), (jwks) => {
      if (keys.areStale())
        return last === undefined ? render(jwks, 0) : copyFor(new ServiceError('database_unavailable'));
      if (before === changes) last = { jwks, readAt };
      return fresh(jwks);
    });
    return read instanceof Promise ? read.catch(copyFor) : read;
  };
}

function render(jwks: Jwks, maxAge: number): RenderedDocument<Jwks> {
  return renderDocument(jwks, {
    'content-type': 'application/json',
    'cache-control': `public, max-age=${maxAge}`,
  });
}
