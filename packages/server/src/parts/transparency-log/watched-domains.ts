import { type ProofLeaf, parseLeaf } from '@touchstone/certificate/log';
import { sql } from 'kysely';
import type { Emit } from '../../core/registry/events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { PublishedLeaves } from './publish-leaves.ts';
import { shardName } from './shards.ts';

export interface WatchOptions {
  readonly secrets: Pick<DatabaseSecrets, 'rows'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** Tells whoever has proven a hostname what was issued for it and the hosts below it, by whichever merchant. */
export async function tellOwners(
  trx: DatabaseTransaction,
  { secrets, clock, emit }: WatchOptions,
  { shard, first, entries }: PublishedLeaves,
): Promise<void> {
  const items = entries.flatMap((entry, at) => {
    const leaf = parseLeaf(entry);
    return leaf?.domain === undefined ? [] : [itemOf(leaf, leaf.domain, shardName(shard), first + at)];
  });
  const hosts = new Set(items.flatMap(({ domain }) => withParents(domain)));
  const { rows } = await sql<{ owner: OwnerRow; store_id: string }>`
    select distinct on (o.hostname) ${ownerRow('o')} as owner, d.store_id
    from hostname_owners o join domains d on d.merchant_id = o.merchant_id and d.hostname = o.hostname
    where o.hostname = any(${[...hosts]}::text[]) order by o.hostname, d.created_at`.execute(trx);
  const events = rows.flatMap(({ owner: row, store_id: storeId }) => {
    const owner = ownerOf(secrets.rows, row);
    if (owner === null) return [];
    const { hostname, merchant_id: merchantId } = owner;
    const concerned = items.filter(({ domain }) => domain === hostname || domain.endsWith(`.${hostname}`));
    const about = { merchantId, storeId, subject: hostname, detail: { hostname }, items: concerned };
    return [{ type: 'domain.issued' as const, ...about, at: clock() }];
  });
  if (events.length > 0) await emit(trx, 'recorded', events);
}

const itemOf = ({ kind, kid, proof }: ProofLeaf, domain: string, log: string, index: number) => ({
  log,
  index,
  kind,
  domain,
  kid,
  proof,
});

/** A host and the hosts above it. */
function withParents(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
