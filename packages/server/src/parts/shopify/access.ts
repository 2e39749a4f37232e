import type { ApiAnswer, ApiClient } from '@touchstone/fetch';
import { Credential } from '@touchstone/fetch/credential';
import { addressAt, refusalOf, type ShopAccess, unreachable } from './admin-client.ts';
import { type ConnectionRow, openSecret, openToken, storeToken } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { ShopifyProblem } from './problem.ts';

/** A token with an expiry. */
export interface GrantedToken {
  readonly token: string;
  readonly until: Date;
}

/** Seconds of a token's lifetime if the shop does not state it, and at most. */
const MAX_LIFETIME = 86_400;
/** Milliseconds before its expiry from which a token is replaced. */
const RENEW_BEFORE = 600_000;
/** Error codes for refused credentials, in an HTML page or JSON. */
const REFUSAL_CODE =
  /\b(?:app_not_installed|shop_not_permitted|application_cannot_be_found|invalid_client|invalid_request|unauthorized_client)\b/;

/**
 * Access to the shop of a connection: by the token that its merchant supplied, or by one that the shop grants for a day and
 * that is replaced here before it expires.
 */
export function accessOf({ registry, seal, api }: ShopifyContext, row: ConnectionRow): ShopAccess {
  const { shop, client_id: clientId } = row;
  let held = openToken(seal, row);
  if (clientId === null) return { shop, token: async () => held };
  let until = row.token_until?.getTime() ?? 0;
  return {
    shop,
    async token(signal, refused) {
      const now = registry.clock();
      if (held !== refused && now.getTime() < until - RENEW_BEFORE) return held;
      const client = { shop, clientId, clientSecret: openSecret(seal, row) };
      const granted = await grantToken(api, client, { now, signal });
      await storeToken(registry.db, seal, row, granted);
      held = granted.token;
      until = granted.until.getTime();
      return held;
    },
  };
}

/**
 * Requests a token for the shop's custom app by the client credentials grant (RFC 6749, section 4.4).
 *
 * @throws ShopifyProblem `shopify_credentials_refused`, or why the shop is not available
 */
export async function grantToken(
  api: ApiClient,
  { shop, clientId, clientSecret }: { shop: string; clientId: string; clientSecret: string },
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<GrantedToken> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const url = addressAt(shop, '/admin/oauth/access_token');
  const answer = await api.request(url, {
    method: 'POST',
    // the secret is in the body
    credential: new Credential(url),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(form.toString()),
    signal,
  });
  if (answer.kind === 'failed') throw unreachable(answer).problem;
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw new ShopifyProblem('shopify_credentials_refused', refusalText(answer));
  const refusal = refusalOf(answer);
  if (refusal !== undefined) throw refusal.problem;
  const { access_token: token, expires_in: seconds } = membersOf(answer);
  if (typeof token !== 'string' || token === '')
    throw new ShopifyProblem('shopify_answer_unreadable', 'It has no access token.');
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : MAX_LIFETIME;
  return { token, until: new Date(now.getTime() + Math.min(lifetime, MAX_LIFETIME) * 1_000) };
}

function refusalText({ status, body }: ApiAnswer): string {
  const code = REFUSAL_CODE.exec(new TextDecoder().decode(body))?.[0];
  return `It answered ${status}${code === undefined ? '' : `: ${code}`}.`;
}

function membersOf({ body }: ApiAnswer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
