import { ServiceError } from '../errors.ts';

/** The owner of the API key of a call. */
export type Identity =
  | { readonly role: 'operator'; readonly keyId: string }
  | { readonly role: 'merchant'; readonly keyId: string; readonly merchantId: string };

/** The records that a caller may see: all, or those of one merchant. Others do not exist for the caller. */
export type Scope = 'all' | { readonly merchantId: string };

export function scopeOf(identity: Identity | null): Scope {
  if (identity === null) throw new ServiceError('credentials_missing');
  return identity.role === 'operator' ? 'all' : { merchantId: identity.merchantId };
}

/** The merchant who calls, if its key is known. */
export function viewerOf(identity: Identity | null): string | undefined {
  return identity?.role === 'merchant' ? identity.merchantId : undefined;
}

export function inScope(scope: Scope, merchantId: string): boolean {
  return scope === 'all' || scope.merchantId === merchantId;
}

/** Refuses calls that require the operator. */
export function requireOperator(scope: Scope, what: string): void {
  if (scope !== 'all') {
    throw new ServiceError('forbidden', { message: `Only an operator's key may ${what}.` });
  }
}
