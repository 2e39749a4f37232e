import { SHOPIFY_PROBLEMS, type ShopifyConnect } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import { type GrantedToken, grantToken } from './access.ts';
import { createAdminClient } from './admin-client.ts';
import type { ShopifyContext } from './context.ts';
import { ShopifyProblem } from './problem.ts';
import { SCOPES, SHOP, type ShopAnswer } from './queries.ts';

/** Milliseconds for all requests that authorize a connection. */
const TIME_LIMIT = 20_000;

export interface ShopAuthorization {
  /** Origin of the shop's product pages. */
  readonly storefront: string;
  readonly token: string;
  /** When the token expires; `null`: it does not. */
  readonly until: Date | null;
}

/**
 * Obtains an access token for a shop, and checks that it grants every scope that we need.
 *
 * @throws ServiceError `shopify_refused`
 */
export async function authorizeShop(
  context: ShopifyContext,
  input: ShopifyConnect,
): Promise<ShopAuthorization> {
  const { api } = context;
  const { shop } = input;
  const signal = AbortSignal.timeout(TIME_LIMIT);
  try {
    const { token, until } = await tokenOf(context, input, signal);
    const client = createAdminClient(api, { shop, token: async () => token }, { maxAttempts: 2 });
    const answer = await client.query<ShopAnswer>(SHOP, {}, signal);
    const granted = new Set(answer.currentAppInstallation.accessScopes.map(({ handle }) => handle));
    // a scope to write includes the one to read
    const missing = SCOPES.filter(
      (wanted) => !granted.has(wanted) && !granted.has(wanted.replace('read_', 'write_')),
    );
    if (missing.length > 0)
      throw new ShopifyProblem('shopify_scope_missing', `Missing: ${missing.join(', ')}.`);
    return { storefront: new URL(answer.shop.primaryDomain.url).origin, token, until };
  } catch (error) {
    if (!(error instanceof ShopifyProblem)) throw error;
    throw new ServiceError('shopify_refused', {
      message: `${SHOPIFY_PROBLEMS[error.code]} ${error.detail}`.trim(),
    });
  }
}

async function tokenOf(
  { api, registry }: ShopifyContext,
  { shop, accessToken, clientId, clientSecret = '' }: ShopifyConnect,
  signal: AbortSignal,
): Promise<GrantedToken | { readonly token: string; readonly until: null }> {
  if (clientId === undefined) return { token: accessToken ?? '', until: null };
  return grantToken(api, { shop, clientId, clientSecret }, { now: registry.clock(), signal });
}
