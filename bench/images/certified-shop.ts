import { type Hashes, pictureKeys } from '@touchstone/image';
import { type Kysely, sql } from 'kysely';
import { provenOwner, writeOwner } from '../../packages/server/src/platform/database/hostname-owners.ts';
import type { Tables } from '../../packages/server/src/platform/database/tables.ts';
import type { TrustedRows } from '../../packages/server/src/platform/database/trusted-rows.ts';

export interface CertifiedProduct {
  readonly name: string;
  readonly gtin?: string | undefined;
  readonly pictures: readonly Hashes[];
}

/** A shop on a proven host whose pictures are certified and indexed: the rows that the service writes. @returns the merchant */
export async function addCertifiedShop(
  db: Kysely<Tables>,
  trusted: TrustedRows,
  host: string,
  products: readonly CertifiedProduct[],
): Promise<string> {
  const [merchant_id, store_id] = [crypto.randomUUID(), crypto.randomUUID()];
  const url = `https://${host}/`;
  await db.insertInto('merchants').values({ id: merchant_id, name: host, plan_capacity: 10_000 }).execute();
  await db.insertInto('stores').values({ id: store_id, merchant_id, name: host, url }).execute();
  await db.insertInto('domains').values({ merchant_id, store_id, hostname: host }).execute();
  const owner = provenOwner({ hostname: host, merchant_id, method: 'dns_txt' }, new Date());
  await writeOwner(db, trusted, owner, new Date(Date.now() + 86_400_000));
  for (const [nth, { name, gtin, pictures }] of products.entries()) {
    const id = crypto.randomUUID();
    const of = { id, store_id, merchant_id, external_product_id: id, name, gtin: gtin ?? null };
    const address = {
      url: `${url}${id}`,
      host,
      attributes: '[]',
      visible: true,
      slot_order: String(nth + 1),
    };
    await db
      .insertInto('products')
      .values({ ...of, ...address })
      .execute();
    for (const [position, hashes] of pictures.entries())
      await addPicture(
        db,
        { merchant_id, product_id: id, position, url: `${url}${id}-${position}.jpg` },
        hashes,
      );
  }
  return merchant_id;
}

interface Place {
  readonly merchant_id: string;
  readonly product_id: string;
  readonly position: number;
  readonly url: string;
}

async function addPicture(
  db: Kysely<Tables>,
  place: Place,
  { uhash: source_uhash, frameCode, appearance }: Hashes,
): Promise<void> {
  const [image_id, blob_key, at] = [crypto.randomUUID(), `${source_uhash}.jpg`, new Date()];
  const looks = { source_uhash, frame_code: frameCode ?? null, appearance: appearance ?? null };
  await db
    .insertInto('images')
    .values({ ...place, id: image_id, blob_key, ...looks })
    .execute();
  const { merchant_id } = place;
  const times = { certified_at: at, first_certified_at: at, signed_until: null };
  await db
    .insertInto('image_certifications')
    .values({ merchant_id, image_id, source_uhash, blob_key, signed_by_us: false, ...times })
    .execute();
  const keys = pictureKeys({ ...(frameCode && { frameCode }), ...(appearance && { appearance }) });
  const [frame, square] = [keys?.frame.map(String) ?? [], keys?.square?.map(String) ?? []];
  await sql`
    insert into picture_codes values (${merchant_id}, ${image_id}, 0, ${frame[0] ?? null}, ${frame[1] ?? null}, ${frame[2] ?? null},
      ${square[0] ?? null}, ${square[1] ?? null}, ${square[2] ?? null})`.execute(db);
}
