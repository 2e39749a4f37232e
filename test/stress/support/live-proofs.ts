import { randomUUID } from 'node:crypto';
import { createStatusEntries } from '../../../packages/server/src/parts/status-lists/allocate.ts';
import { COMPARED } from '../../../packages/server/src/parts/status-lists/testing.ts';
import type { TestDatabase } from '../../../packages/server/src/platform/database/testing.ts';
import { createDatabaseSecrets } from '../../../packages/server/src/platform/secrets/database-secrets.ts';

export interface LiveProof {
  readonly productId: string;
  readonly list: number;
  readonly index: number;
}

interface Owner {
  readonly database: TestDatabase;
  readonly masterKey: Buffer;
  readonly baseUrl: string;
  readonly merchantId: string;
  readonly storeId: string;
}

/** Bytes of the payload of a proof, roughly. */
const PAYLOAD = 1_800;

/** Active products with a live proof each. Their documents are never asked for: only their entries count. */
export async function addLiveProofs(
  { database, masterKey, baseUrl, merchantId, storeId }: Owner,
  count: number,
): Promise<LiveProof[]> {
  const entries = createStatusEntries({
    db: database.db,
    clock: () => new Date(),
    secrets: createDatabaseSecrets(masterKey),
    baseUrl,
    comparison: COMPARED,
  });
  const all: LiveProof[] = [];
  for (let from = 0; from < count; from += 10_000) {
    const taken = await entries.take(Math.min(10_000, count - from));
    const some = taken.map((entry) => ({ ...entry, productId: randomUUID() }));
    const ids = some.map(({ productId }) => productId);
    await database.query(
      `insert into products (merchant_id, id, store_id, external_product_id, name, url, host, slot_order)
       select $1, id, $2, id::text, 'A product', 'https://shop.example/' || id, 'shop.example', $4::bigint + nth
       from unnest($3::uuid[]) with ordinality as p (id, nth)`,
      [merchantId, storeId, ids, from],
    );
    await database.query('insert into directory (id, merchant_id) select id, $1 from unnest($2::uuid[]) id', [
      merchantId,
      ids,
    ]);
    await database.query(
      `insert into proofs (merchant_id, kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, issued_at, expires_at,
         status_list, status_index)
       select $1, 'product', id, '\\x00', 1, (select kid from signing_keys where purpose = 'proofs' limit 1), 'e30', repeat('e', $5), '{}',
         now() - interval '1 hour', now() + interval '6 days', list, index
       from unnest($2::uuid[], $3::integer[], $4::integer[]) as p (id, list, index)`,
      [merchantId, ids, some.map(({ list }) => list), some.map(({ index }) => index), PAYLOAD],
    );
    all.push(...some);
  }
  await database.query('update merchants set slots_held = $2 where id = $1', [merchantId, count]);
  await database.query('analyze products');
  await database.query('analyze proofs');
  return all;
}
