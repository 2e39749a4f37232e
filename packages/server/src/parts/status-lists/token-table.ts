import type { VerifyRs256 } from '@touchstone/certificate';
import { type Selectable, sql } from 'kysely';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { announce } from '../../platform/cache/announce.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSameMac } from '../../platform/crypto/row-mac.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import type { StatusListTokensTable } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { compressEntries, countEntries, type Entries } from './entries.ts';
import { signingInputOf, type TokenClaims, tokenOf } from './token.ts';

export interface TokenOptions {
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'hash'>;
  /** Keys of status lists. */
  readonly keys: Pick<SigningKeys, 'signer' | 'verifierOf' | 'published'> & { readonly verify: VerifyRs256 };
}

export type TokenRow = Selectable<StatusListTokensTable> & { readonly base_url: string };

/** The published tokens of these lists; of all, where no ids are given. */
export async function readTokens(
  db: Database | DatabaseTransaction,
  ids?: readonly number[],
): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    select t.*, l.base_url from status_list_tokens t join status_lists l on l.id = t.list_id
    ${ids === undefined ? sql`` : sql`where t.list_id = any(${ids}::integer[])`} order by t.list_id`.execute(
    db,
  );
  return rows;
}

export function claimsOfRow(row: TokenRow): TokenClaims {
  return {
    kid: row.kid,
    listId: row.list_id,
    baseUrl: row.base_url,
    issuedAt: row.issued_at,
    revokedKids: row.revoked_kids,
    compressed: row.entries,
  };
}

export const tokenOfRow = (row: TokenRow): string => tokenOf(claimsOfRow(row), row.signature);

/** Whether the service itself has written what is published. */
export function isAuthentic({ secrets }: Pick<TokenOptions, 'secrets'>, row: TokenRow): boolean {
  return isSameMac(row.mac, macOf(secrets, signingInputOf(claimsOfRow(row))));
}

const macOf = (secrets: Pick<DatabaseSecrets, 'hash'>, input: string) =>
  secrets.hash('status list tokens', input);

export interface NewToken {
  readonly listId: number;
  readonly baseUrl: string;
  readonly entries: Entries;
  readonly revokedKids: readonly string[];
  /** The new token is dated later. */
  readonly after?: Date | undefined;
}

/** Signs a list and replaces what is published of it when the transaction commits. */
export async function writeToken(
  trx: DatabaseTransaction,
  options: TokenOptions,
  { entries, after, ...list }: NewToken,
): Promise<void> {
  const { clock, secrets, keys } = options;
  const now = Math.floor(clock().getTime() / 1000) * 1000;
  const issuedAt = new Date(Math.max(now, after === undefined ? now : after.getTime() + 1000));
  const signer = await keys.signer();
  const claims = { ...list, kid: signer.kid, issuedAt, compressed: await compressEntries(entries) };
  const input = signingInputOf(claims);
  const bytes = new TextEncoder().encode(input);
  const signature = await signer.sign(bytes);
  const keySet = await keys.verifierOf(signer.kid);
  const jwk = keySet?.find(signer.kid);
  if (typeof jwk !== 'object' || !(await keys.verify(jwk, new Uint8Array(signature), bytes)))
    throw new ServiceError('signer_unavailable', { retryAfter: 1 });
  const row = {
    kid: signer.kid,
    issued_at: issuedAt,
    revoked_kids: [...list.revokedKids],
    entries: claims.compressed,
    signature: Buffer.from(signature),
    mac: macOf(secrets, input),
    ...countEntries(entries),
  };
  await trx
    .insertInto('status_list_tokens')
    .values({ ...row, list_id: list.listId })
    .onConflict((conflict) => conflict.column('list_id').doUpdateSet(row))
    .execute();
  await announce(trx, [`l:${list.listId}`]);
}
