import { ServiceError } from '../errors.ts';

/** Whose API key a call came with. */
export type Identity =
  | { readonly role: 'operator'; readonly keyId: string }
  | { readonly role: 'merchant'; readonly keyId: string; readonly merchantId: string };

/** Whose records a caller may see: everyone's, or one merchant's. What is out of scope does not exist. */
export type Scope = 'all' | { readonly merchantId: string };

export function scopeOf(identity: Identity | null): Scope {
  if (identity === null) throw new ServiceError('credentials_missing');
  return identity.role === 'operator' ? 'all' : { merchantId: identity.merchantId };
}

export function inScope(scope: Scope, merchantId: string): boolean {
  return scope === 'all' || scope.merchantId === merchantId;
}

/** Refuses what only an operator may do. */
export function requireOperator(scope: Scope, what: string): void {
  if (scope !== 'all') {
    throw new ServiceError('forbidden', { message: `Only an operator's key may ${what}.` });
  }
}
