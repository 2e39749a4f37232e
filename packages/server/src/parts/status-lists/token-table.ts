import { signStatusList, statusListUri } from '@touchstone/certificate/withdrawal';
import { type Selectable, sql } from 'kysely';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { announce } from '../../platform/cache/announce.ts';
import type { Clock } from '../../platform/clock.ts';
import { isSameMac } from '../../platform/crypto/row-mac.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import type { StatusListTokensTable } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { compressEntries, countEntries, decompressEntries, type Entries } from './entries.ts';

export interface TokenOptions {
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'hash'>;
  /** Keys of status lists. */
  readonly keys: Pick<SigningKeys, 'signer' | 'verifierOf' | 'published'>;
}

export type TokenRow = Selectable<StatusListTokensTable> & { readonly base_url: string };

/** The published tokens of these lists; of all, where no ids are given. */
export async function readTokens(
  db: Database | DatabaseTransaction,
  ids?: readonly number[],
): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    select t.*, l.base_url from status_list_tokens t join status_list_allocations l on l.id = t.list_id
    ${ids === undefined ? sql`` : sql`where t.list_id = any(${ids}::integer[])`} order by t.list_id`.execute(
    db,
  );
  return rows;
}

/** The token as it is published: the same bytes from every node. */
export function tokenOfRow({ header, payload, signature }: TokenRow): string {
  return [Buffer.from(header), Buffer.from(payload), signature]
    .map((part) => part.toString('base64url'))
    .join('.');
}

/** Whether the service itself has written what is published: whatever is signed is believed, and others may be able to write rows. */
export function isAuthentic({ secrets }: Pick<TokenOptions, 'secrets'>, row: TokenRow): boolean {
  return isSameMac(row.mac, macOf(secrets, row.header, row.payload));
}

/** What a row states; to be believed if the row is authentic. */
export async function stateOfRow({ payload }: TokenRow): Promise<{
  readonly entries: Entries;
  readonly issuedAt: Date;
  readonly revokedKids: readonly string[];
}> {
  const claims = JSON.parse(payload) as {
    readonly iat: number;
    readonly status_list: { readonly lst: string };
    readonly revoked_kids: readonly string[];
  };
  return {
    entries: await decompressEntries(Buffer.from(claims.status_list.lst, 'base64url')),
    issuedAt: new Date(claims.iat * 1000),
    revokedKids: claims.revoked_kids,
  };
}

const macOf = (secrets: Pick<DatabaseSecrets, 'hash'>, header: string, payload: string) =>
  secrets.hash('status list tokens', `${header}${payload}`);

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
  { clock, secrets, keys }: TokenOptions,
  { listId, baseUrl, entries, revokedKids, after }: NewToken,
): Promise<void> {
  const now = Math.floor(clock().getTime() / 1000) * 1000;
  const issuedAt = new Date(Math.max(now, after === undefined ? now : after.getTime() + 1000));
  const signer = await keys.signer();
  const keySet = await keys.verifierOf(signer.kid);
  if (keySet === null) throw new ServiceError('signer_unavailable', { retryAfter: 1 });
  const uri = statusListUri(baseUrl, listId);
  const content = { uri, issuedAt, compressed: await compressEntries(entries), revokedKids };
  const [header = '', payload = '', signature = ''] = (await signStatusList(content, signer, keySet)).split(
    '.',
  );
  const decoded = { header: textOf(header), payload: textOf(payload) };
  const row = {
    ...decoded,
    kid: signer.kid,
    issued_at: issuedAt,
    signature: Buffer.from(signature, 'base64url'),
    mac: macOf(secrets, decoded.header, decoded.payload),
    ...countEntries(entries),
  };
  await trx
    .insertInto('status_list_tokens')
    .values({ ...row, list_id: listId })
    .onConflict((conflict) => conflict.column('list_id').doUpdateSet(row))
    .execute();
  await announce(trx, [`l:${listId}`]);
}

const textOf = (part: string) => Buffer.from(part, 'base64url').toString('utf8');
