import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { copyOf, type Original, SAME_BYTES } from '../../../test/kit/copied-pictures.ts';
import { picture } from '../../../test/kit/pictures.ts';
import { seeded } from '../../../test/kit/random.ts';
import type { Offer } from './offers.ts';

/** Pictures that the maker of a product has for the shops that sell it. */
const OF_MAKER = 4;
/** What shops do with them, in turn: the last two change them so much that few are found. */
const CHANGES = [
  SAME_BYTES,
  'half the size',
  'JPEG of quality 60',
  'padded to a square, white',
  'WebP',
  'JPEG of quality 90',
  'cropped by 5 %',
  'a watermark across',
] as const;
/** One in so many shops photographs its goods itself. */
const OWN = 6;

const numberOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE();

/** What pictures a shop shows with an offer. */
export interface ShopPictures {
  readonly change: string;
  readonly areOwn: boolean;
  /** Places of the pictures among those of the maker, in the order of the page: some shops leave some out. */
  placesOf(offer: Offer): readonly number[];
  fileOf(offer: Offer, place: number): Promise<Uint8Array>;
}

/**
 * The pictures of makers: photographs below the folder `pictures`, those of the most sold products first, then made ones; which shop shows
 * which of them, and in which form. The same folder gives the same pictures.
 */
export function createPictures(folder: string, offers: readonly Offer[]): (host: string) => ShopPictures {
  const photographs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  const sold = Map.groupBy(offers, ({ product }) => product);
  const bySales = [...sold].toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const placeOf = new Map(bySales.map(([product], nth) => [product, nth * OF_MAKER]));
  const hosts = [...new Set(offers.map(({ host }) => host))].toSorted();

  const originalOf = async (product: string, place: number): Promise<Original> => {
    const name = photographs[(placeOf.get(product) ?? Number.POSITIVE_INFINITY) + place];
    const file = name === undefined ? await picture(`${product} ${place}`) : readFileSync(join(folder, name));
    const { width = 0, height = 0 } = await sharp(file).metadata();
    return { file, width, height };
  };

  return (host) => {
    const nth = hosts.indexOf(host);
    const [change, areOwn] = [CHANGES[nth % CHANGES.length] ?? SAME_BYTES, nth % OWN === 2];
    return {
      change,
      areOwn,
      placesOf({ product }) {
        const random = seeded(numberOf(`${host} ${product}`));
        const others = [1, 2, 3].filter(() => random.number() < 0.5);
        return random.number() < 0.9 || others.length === 0 ? [0, ...others] : others;
      },
      fileOf: async ({ product }, place) =>
        copyOf(await originalOf(areOwn ? `${product} by ${host}` : product, place), change),
    };
  };
}
