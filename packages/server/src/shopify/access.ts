import type { ApiAnswer, ApiClient } from '@touchstone/page/fetch';
import { refusalOf, type ShopAccess, unreachable } from './admin-client.ts';
import { type ConnectionRow, keepToken, openSecret, openToken } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { ShopifyProblem } from './problem.ts';

/** A token that was granted for a while. */
export interface GrantedToken {
  readonly token: string;
  readonly until: Date;
}

/** Seconds that a token holds where the shop does not say. */
const A_DAY = 86_400;
/** Milliseconds before its end from which a token is replaced. */
const RENEW_BEFORE = 600_000;
/** What the shop may say of credentials that it refuses, on a page for people or as JSON. */
const SAID =
  /\b(?:app_not_installed|shop_not_permitted|application_cannot_be_found|invalid_client|invalid_request|unauthorized_client)\b/;

/**
 * As whom the shop of a connection is asked: by the token that its merchant gave, or by one that the shop grants for a day and
 * that is replaced here.
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
      await keepToken(registry.db, seal, row, granted);
      held = granted.token;
      until = granted.until.getTime();
      return held;
    },
  };
}

/**
 * Has the shop grant a token to the app that was made for it: OAuth's client credentials (RFC 6749, section 4.4).
 *
 * @throws ShopifyProblem `shopify_credentials_refused`, or what is wrong with the shop
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
  const answer = await api.request(`https://${shop}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(form.toString()),
    signal,
  });
  if (answer.kind === 'failed') throw unreachable(answer).problem;
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw new ShopifyProblem('shopify_credentials_refused', saidBy(answer));
  const refusal = refusalOf(answer);
  if (refusal !== undefined) throw refusal.problem;
  const { access_token: token, expires_in: seconds } = membersOf(answer);
  if (typeof token !== 'string' || token === '')
    throw new ShopifyProblem('shopify_answer_unreadable', 'It has no access token.');
  const lasts = typeof seconds === 'number' && seconds > 0 ? seconds : A_DAY;
  return { token, until: new Date(now.getTime() + Math.min(lasts, A_DAY) * 1_000) };
}

function saidBy({ status, body }: ApiAnswer): string {
  const said = SAID.exec(new TextDecoder().decode(body))?.[0];
  return `It answered ${status}${said === undefined ? '' : `: ${said}`}.`;
}

function membersOf({ body }: ApiAnswer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(body))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
