import { type BandKeys, pictureKeys } from '@touchstone/image';
import { type RawBuilder, sql } from 'kysely';
import type { ChangedProduct, CoreListener } from '../../core/registry/events.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';

/** Images of one statement. */
const BATCH = 200;

/** Keeps the index current: what is certified is found, what is no longer there is not. */
export const pictureIndexing: CoreListener = {
  imageScanned: (trx, { merchantId, productId }) =>
    indexImages(trx, merchantId, sql`i.product_id = ${productId}`),
  async imagesChanged(trx, { merchantId, images }) {
    const known = images.filter(
      ({ wasRemoved, isRemoved }) => wasRemoved !== null && wasRemoved !== isRemoved,
    );
    const ids = known.map(({ id }) => id);
    for (let begun = 0; begun < ids.length; begun += BATCH)
      await indexImages(trx, merchantId, sql`i.id = any(${ids.slice(begun, begun + BATCH)}::uuid[])`);
  },
  async productsChanged(trx, { merchantId, products }) {
    const idsOf = (which: (product: ChangedProduct) => boolean) => products.filter(which).map(({ id }) => id);
    const deleted = idsOf(({ was, is }) => was !== null && was !== 'deleted' && is === 'deleted');
    if (deleted.length > 0) {
      const texts = sql`with texts as (
        delete from text_sketches where merchant_id = ${merchantId} and product_id = any(${deleted}::uuid[]))`;
      await dropCodes(trx, merchantId, sql`i.product_id = any(${deleted}::uuid[])`, texts);
    }
    const returned = idsOf(({ was, is }) => was === 'deleted' && is !== 'deleted');
    for (let begun = 0; begun < returned.length; begun += BATCH)
      await indexImages(
        trx,
        merchantId,
        sql`i.product_id = any(${returned.slice(begun, begun + BATCH)}::uuid[])`,
      );
  },
};

/** Whether a picture is to be found: it is certified, and neither it nor its product was removed. */
const PUBLISHED = sql`i.blob_key is not null and i.appearance is not null and i.source_uhash is not null
  and i.removed_at is null and p.deleted_at is null`;
/** The beginning of the hash of the bytes, as a number. */
const SOURCE = sql`('x' || left(i.source_uhash, 16))::bit(64)::bigint`;

/** Takes those of some images out of the index that are no longer to be found, in one statement with what goes besides. */
async function dropCodes(
  trx: DatabaseTransaction,
  merchantId: string,
  which: RawBuilder<unknown>,
  besides: RawBuilder<unknown> = sql``,
): Promise<void> {
  await sql`${besides}
    delete from picture_codes c using images i, products p
    where c.merchant_id = ${merchantId} and i.merchant_id = ${merchantId} and i.id = c.image_id and ${which}
      and p.merchant_id = ${merchantId} and p.id = i.product_id and not coalesce(${PUBLISHED}, false)`.execute(
    trx,
  );
}

/** Brings the index in line with some images of a merchant, whose rows the transaction has locked or written. */
async function indexImages(
  trx: DatabaseTransaction,
  merchantId: string,
  which: RawBuilder<unknown>,
): Promise<void> {
  await dropCodes(trx, merchantId, which);
  const { rows } = await sql<PictureRow>`
    select i.merchant_id, i.id, i.frame_code, i.appearance, ${SOURCE}::text as source
    from images i join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
    left join picture_codes c on c.merchant_id = i.merchant_id and c.image_id = i.id
    where i.merchant_id = ${merchantId} and ${which} and ${PUBLISHED} and c.source is distinct from ${SOURCE}`.execute(
    trx,
  );
  await writeCodes(trx, rows);
}

interface PictureRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly frame_code: string | null;
  readonly appearance: string;
  readonly source: string;
}

const TEXTS = (keys: BandKeys | undefined) =>
  (keys ?? [null, null, null]).map((key) => key?.toString() ?? null);

async function writeCodes(trx: Database | DatabaseTransaction, rows: readonly PictureRow[]): Promise<void> {
  if (rows.length === 0) return;
  const codes = rows.map(({ frame_code: frameCode, appearance }) =>
    pictureKeys({ ...(frameCode === null ? {} : { frameCode }), appearance }),
  );
  const [frames, squares] = [
    codes.map((keys) => TEXTS(keys?.frame)),
    codes.map((keys) => TEXTS(keys?.square)),
  ];
  const column = (of: readonly (readonly (string | null)[])[], band: number) =>
    sql`${of.map((keys) => keys[band] ?? null)}::bigint[]`;
  await sql`
    insert into picture_codes (merchant_id, image_id, source, frame_1, frame_2, frame_3, square_1, square_2, square_3)
    select * from unnest(${rows.map((row) => row.merchant_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ source }) => source)}::bigint[], ${column(frames, 0)}, ${column(frames, 1)}, ${column(frames, 2)},
      ${column(squares, 0)}, ${column(squares, 1)}, ${column(squares, 2)})
    on conflict (merchant_id, image_id) do update set source = excluded.source,
      frame_1 = excluded.frame_1, frame_2 = excluded.frame_2, frame_3 = excluded.frame_3,
      square_1 = excluded.square_1, square_2 = excluded.square_2, square_3 = excluded.square_3`.execute(trx);
}

/**
 * Adds pictures that were certified while the service ran without this part.
 *
 * @returns how many
 */
export async function indexMissing(db: Database): Promise<number> {
  let added = 0;
  let after = {
    merchant_id: '00000000-0000-0000-0000-000000000000',
    id: '00000000-0000-0000-0000-000000000000',
  };
  for (;;) {
    const missing = await inTransaction(db, async (trx) => {
      // locked, so that no scan gives it another appearance in the meantime
      const { rows } = await sql<PictureRow>`
        select i.merchant_id, i.id, i.frame_code, i.appearance, ${SOURCE}::text as source
        from images i join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
        where (i.merchant_id, i.id) > (${after.merchant_id}::uuid, ${after.id}::uuid) and ${PUBLISHED} and not exists (
          select from picture_codes c where c.merchant_id = i.merchant_id and c.image_id = i.id)
        order by i.merchant_id, i.id limit ${BATCH} for no key update of i`.execute(trx);
      await writeCodes(trx, rows);
      return rows;
    });
    const last = missing.at(-1);
    if (last === undefined) return added;
    added += missing.length;
    after = last;
  }
}
