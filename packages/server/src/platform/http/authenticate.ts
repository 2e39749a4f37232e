import type { Operation } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import type { Identity } from './access.ts';

/** Says whose key it is; null for one that is unknown or revoked. */
export type Authenticate = (key: string) => Promise<Identity | null>;

const BEARER = /^bearer +([\x21-\x7e]{1,200})$/i;

/**
 * Who calls, by `Authorization: Bearer <key>`; throws where the operation asks for more.
 *
 * A public one answers anyone: a key that is good makes its holder the caller, anything else in the
 * header is none of our business there.
 */
export async function identify(
  header: string | undefined,
  access: Operation['access'],
  authenticate: Authenticate,
): Promise<Identity | null> {
  const key = header === undefined ? undefined : BEARER.exec(header)?.[1];
  if (key === undefined) {
    if (access === 'public') return null;
    throw new ServiceError('credentials_missing');
  }
  const identity = await authenticate(key);
  if (access === 'public') return identity;
  if (identity === null) throw new ServiceError('credentials_invalid');
  if (access === 'operator' && identity.role !== 'operator') {
    throw new ServiceError('forbidden', { message: 'Only an operator key may do this.' });
  }
  return identity;
}
