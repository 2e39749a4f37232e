import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hashes } from '@touchstone/image';
import sharp from 'sharp';
import { copyOf, type Original, SAME_BYTES } from '../../../test/kit/copied-pictures.ts';
import { picture } from '../../../test/kit/pictures.ts';
import { seeded } from '../../../test/kit/random.ts';
import { hashesOf } from '../../images/known.ts';
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
/** Photographs of goods that one shop alone sells, or photographs itself, in turn. */
const OTHERS = 400;
/** One in so many shops photographs its goods itself. */
const OWN = 6;

const numberOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE();

/** What pictures a shop shows. */
export interface ShopPictures {
  readonly change: string;
  /** It photographs its goods itself. */
  readonly areOwn: boolean;
  /** Of the pictures with an offer, in the order of its page, by address. */
  hashesOf(offer: Offer): Promise<ReadonlyMap<string, Hashes>>;
}

/**
 * The pictures that shops show, where the offers name none: photographs below the folder `pictures`, those of the products that most shops
 * sell first, then made ones. Some shops leave some of the maker's out, all change them in their way. The same folder gives the same ones.
 */
export function createPictures(folder: string, offers: readonly Offer[]): (host: string) => ShopPictures {
  const below = join(folder, 'pictures');
  const photographs = (existsSync(below) ? readdirSync(below, { recursive: true, encoding: 'utf8' }) : [])
    .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b));
  const sold = Map.groupBy(offers, ({ product }) => product);
  const bySales = [...sold]
    .filter(([, all]) => new Set(all.map(({ host }) => host)).size > 1)
    .toSorted((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const placeOf = new Map(bySales.map(([product], nth) => [product, nth * OF_MAKER]));
  const hosts = [...new Set(offers.map(({ host }) => host))].toSorted();
  const made = new Map<string, Promise<Hashes>>();

  /** A photograph, or the name of a picture that is to be made. */
  const nameOf = (product: string, place: number) => {
    const known = placeOf.get(product);
    if (known !== undefined) return { name: photographs[known + place], made: `${product} ${place}` };
    const other = (numberOf(product) + place) % OTHERS;
    return { name: photographs[photographs.length - 1 - other], made: `other ${other}` };
  };
  const originalOf = async (name: string | undefined, toMake: string): Promise<Original> => {
    const file = name === undefined ? await picture(toMake) : readFileSync(join(below, name));
    const { width = 0, height = 0 } = await sharp(file).metadata();
    return { file, width, height };
  };
  const hashesOfChanged = (product: string, place: number, change: string) => {
    const { name, made: toMake } = nameOf(product, place);
    const how = placeOf.has(product) ? change : SAME_BYTES;
    const key = `${name ?? toMake} ${how}`;
    const known =
      made.get(key) ?? originalOf(name, toMake).then(async (one) => hashesOf(await copyOf(one, how)));
    made.set(key, known);
    return known;
  };
  const placesOf = ({ host, product }: Offer): readonly number[] => {
    const random = seeded(numberOf(`${host} ${product}`));
    const others = [1, 2, 3].filter(() => random.number() < 0.5);
    return random.number() < 0.9 || others.length === 0 ? [0, ...others] : others;
  };

  return (host) => {
    const nth = hosts.indexOf(host);
    const [change, areOwn] = [CHANGES[nth % CHANGES.length] ?? SAME_BYTES, nth % OWN === 2];
    const shown = async (offer: Offer): Promise<readonly Hashes[]> => {
      if (offer.pictures !== undefined)
        return Promise.all(offer.pictures.map((name) => hashesOf(readFileSync(join(folder, name)))));
      const product = areOwn ? `${offer.product} by ${host}` : offer.product;
      return Promise.all(placesOf(offer).map((place) => hashesOfChanged(product, place, change)));
    };
    return {
      change,
      areOwn,
      hashesOf: async (offer) =>
        new Map((await shown(offer)).map((hashes, at) => [`${offer.url}/${at}.jpg`, hashes])),
    };
  };
}
