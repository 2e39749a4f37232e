import { sql } from 'kysely';
import type { CoreListener } from '../../core/registry/events.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CertifiedPicture } from './find-pictures.ts';
import { shareOfText, sketchText } from './text-sketch.ts';

/** Share of two texts from which on they are told to be the same; measured, see docs/measurements.md. */
export const SAME_TEXT = 0.4;
/** Parts of a sketch by which texts of other merchants are found, and the bytes of each. */
const PARTS = 6;
const PART_BYTES = 4;
/** Texts that are read of other merchants, for each part and in each direction. */
const MAX_OTHERS = 3;

/** Keeps what the text of each product is recognised by, as its own page showed it last. */
export const textKeeping: CoreListener = {
  async ownPageRead(trx, { merchantId, productId, description }) {
    const sketch = description === undefined ? undefined : sketchText(description);
    if (sketch === undefined) {
      await sql`delete from text_sketches where merchant_id = ${merchantId} and product_id = ${productId}`.execute(
        trx,
      );
      return;
    }
    await sql`
      insert into text_sketches as t (merchant_id, product_id, sketch) values (${merchantId}, ${productId}, ${Buffer.from(sketch)})
      on conflict (merchant_id, product_id) do update set sketch = excluded.sketch where t.sketch <> excluded.sketch`.execute(
      trx,
    );
  },
};

type Pictured = Pick<CertifiedPicture, 'merchantId' | 'productId'>;

/** The share of the text of a page that is that of a product, by the id of the product; from `SAME_TEXT` to 1. */
export type SharedTexts = ReadonlyMap<string, number>;

/**
 * With which of these products, whose pictures a page shows, it has its text in common, too. None, if another merchant than theirs has the
 * text as well: it is the maker's then, as far as anyone can tell.
 *
 * @param text - of the page
 * @throws ServiceError `database_unavailable`
 */
export async function findSharedTexts(
  db: Database,
  text: string | undefined,
  pictured: readonly Pictured[],
): Promise<SharedTexts> {
  const sketch = text === undefined || pictured.length === 0 ? undefined : sketchText(text);
  if (sketch === undefined) return new Map();
  const products = [...new Map(pictured.map((each) => [each.productId, each])).values()];
  const { rows } = await sql<{ merchant_id: string; product_id: string; sketch: Buffer }>`
    select t.merchant_id, t.product_id, t.sketch
    from unnest(${products.map(({ merchantId }) => merchantId)}::uuid[],
      ${products.map(({ productId }) => productId)}::uuid[]) as asked (merchant_id, product_id)
    join text_sketches t on t.merchant_id = asked.merchant_id and t.product_id = asked.product_id`.execute(
    db,
  );
  const alike = rows
    .map((row) => ({ ...row, share: shareOfText(sketch, row.sketch) }))
    .filter(({ share }) => share >= SAME_TEXT);
  const merchants = [...new Set(alike.map(({ merchant_id: merchantId }) => merchantId))];
  const [merchant] = merchants;
  if (merchant === undefined || merchants.length > 1 || (await isOfOthers(db, sketch, merchant)))
    return new Map();
  return new Map(alike.map(({ product_id: productId, share }) => [productId, share]));
}

/** Whether a merchant other than this one has a text that is alike. The work is limited, however many have. */
async function isOfOthers(db: Database, sketch: Uint8Array, merchantId: string): Promise<boolean> {
  const parts = Array.from({ length: PARTS }, (_, nth) => {
    const from = nth * PART_BYTES;
    const part = Buffer.from(sketch.subarray(from, from + PART_BYTES));
    // written out, as in the index
    const own = sql`substring(sketch from ${sql.lit(from + 1)} for ${sql.lit(PART_BYTES)})`;
    return sql`
      (select sketch from text_sketches where ${own} = ${part} and merchant_id < ${merchantId}
        order by merchant_id desc limit ${MAX_OTHERS})
      union all
      (select sketch from text_sketches where ${own} = ${part} and merchant_id > ${merchantId}
        order by merchant_id limit ${MAX_OTHERS})`;
  });
  const { rows } = await sql<{ sketch: Buffer }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows.some((other) => shareOfText(sketch, other.sketch) >= SAME_TEXT);
}
