import { printable } from '@touchstone/certificate/text';
import {
  PICTURE_CODES,
  type PictureCode,
  type PictureFinding,
  type PictureMatch,
  type PictureMatches,
} from '@touchstone/contract';
import type { CertifiedPicture, FoundPictures } from './find-pictures.ts';
import { plainText } from './plain-text.ts';
import type { SharedTexts } from './product-texts.ts';

/** What the page says of its product. */
export interface StatedProduct {
  readonly name?: string | undefined;
  readonly sku?: string | undefined;
}

export interface PicturesToTell {
  /** Addresses as the page states them, in its order. */
  readonly addresses: readonly string[];
  /** The page has more. */
  readonly leftOut: boolean;
  readonly stated: StatedProduct;
}

/** A merchant whose pictures the page shows. */
export interface OriginalOfPictures {
  readonly merchantId: string;
  readonly match: PictureMatch;
}

/** What is told to who asks, and what each merchant may be told. */
export interface ToldPictures extends Pick<PictureMatches, 'matches' | 'findings'> {
  readonly originals: readonly OriginalOfPictures[];
}

/**
 * What follows from the certified pictures that are the same as those of a page. Facts alone: nothing is told of pictures that several
 * unrelated merchants publish or that are a maker's, and nothing of one picture, unless the page has the name, text or GTIN of its product, too.
 * Of merchants that do not want to be named, who asks learns nothing, but that pictures are not one's alone.
 */
export function tellPictures(
  { addresses, leftOut, stated }: PicturesToTell,
  { compared, found, capped }: FoundPictures,
  texts: SharedTexts,
): ToldPictures {
  const merchants = new Map(
    [...Map.groupBy(found, ({ picture }) => picture)].map(([picture, of]) => [
      picture,
      new Set(of.map(({ merchantId }) => merchantId)).size,
    ]),
  );
  const isOfSeveral = ({ picture }: CertifiedPicture) => (merchants.get(picture) ?? 0) > 1;
  const makers = picturesOf(found.filter(({ isMakers, told }) => isMakers && told));
  const shared = picturesOf(
    found.filter((each) => isOfSeveral(each) && each.told && !makers.has(each.picture)),
  );
  const ofOne = found.filter((each) => !isOfSeveral(each) && !each.isMakers);
  const own = picturesOf(ofOne.filter(({ isOwn, told }) => isOwn && told));
  const proving = ofOne.filter(({ isOwn, isAllowed }) => !isOwn && !isAllowed);
  const of = compared.filter(Boolean).length;
  const shops = [...Map.groupBy(proving, ({ merchantId }) => merchantId)].map(([merchantId, certified]) => ({
    merchantId,
    match: matchOf(certified, { addresses, of, stated, texts }),
    told: certified.filter(({ told }) => told),
  }));
  const originals = shops.filter(({ match }) => isTelling(match));
  const told = shops.flatMap((shop) =>
    shop.told.length === 0 ? [] : [matchOf(shop.told, { addresses, of, stated, texts })],
  );
  const matches = told.filter(isTelling).toSorted((a, b) => b.pictures - a.pictures);
  const alone = told.length - matches.length;
  const unread = compared.length - of;
  const findings = [
    ...(matches.length > 0 ? [finding('pictures_certified_for'), finding('pictures_first_here')] : []),
    ...(own.size > 0 ? [finding('pictures_of_this_shop', own.size)] : []),
    ...(makers.size > 0 ? [finding('pictures_of_maker', makers.size)] : []),
    ...(shared.size > 0 ? [finding('pictures_of_several', shared.size)] : []),
    ...(alone > 0 && matches.length === 0 ? [finding('picture_alone')] : []),
    ...(addresses.length === 0 ? [finding('pictures_absent')] : []),
    ...(unread > 0 ? [finding('pictures_unread', unread)] : []),
    ...(leftOut ? [finding('pictures_left_out')] : []),
    ...(capped ? [finding('pictures_many_alike')] : []),
  ];
  const isNothing = of > 0 && !findings.some(({ code }) => SAYING.includes(code));
  return {
    matches,
    findings: isNothing ? [finding('pictures_unknown'), ...findings] : findings,
    originals: originals.map(({ merchantId, match }) => ({ merchantId, match })),
  };
}

/** Codes that say where a picture is certified. */
const SAYING: readonly PictureCode[] = [
  'pictures_certified_for',
  'pictures_of_this_shop',
  'pictures_of_maker',
  'pictures_of_several',
  'picture_alone',
];

/** One picture alone is nothing. */
const isTelling = ({ pictures, same }: PictureMatch) => pictures > 1 || same.length > 0;

const picturesOf = (found: readonly CertifiedPicture[]) => new Set(found.map(({ picture }) => picture));

const finding = (code: PictureCode, pictures?: number): PictureFinding => ({
  code,
  sentence: PICTURE_CODES[code],
  ...(pictures === undefined ? {} : { pictures }),
});

interface Page {
  readonly addresses: readonly string[];
  readonly of: number;
  readonly stated: StatedProduct;
  readonly texts: SharedTexts;
}

function matchOf(
  certified: readonly CertifiedPicture[],
  { addresses, of, stated, texts }: Page,
): PictureMatch {
  const first = certified.toSorted((a, b) => a.since.getTime() - b.since.getTime())[0] as CertifiedPicture;
  const textShare = Math.max(0, ...certified.map(({ productId }) => texts.get(productId) ?? 0));
  const same = WHAT_IS_SAME.filter((what) =>
    what === 'text' ? textShare > 0 : certified.some((each) => IS_SAME[what](each, stated)),
  );
  const groups = differentPictures(certified);
  // a picture that the page shows twice counts once, also among all of them
  const total = of - ([...picturesOf(certified)].length - groups);
  return {
    host: first.host,
    pictures: groups,
    of: total,
    since: first.since.toISOString(),
    same,
    ...(textShare > 0 && { textShare: Math.round(textShare * 100) / 100 }),
    statement: statementOf({ pictures: groups, of: total, first, same, textShare }),
    addresses: [...picturesOf(certified)]
      .toSorted((a, b) => a - b)
      .map((picture) => printable(addresses[picture] ?? '')),
  };
}

/** How many of them are different: those of the page that are the same certified image are one. */
function differentPictures(certified: readonly CertifiedPicture[]): number {
  const groups: { readonly pictures: Set<number>; readonly images: Set<string> }[] = [];
  for (const [picture, of] of Map.groupBy(certified, (each) => each.picture)) {
    const images = of.map(({ imageId }) => imageId);
    const group = groups.find((other) => images.some((image) => other.images.has(image)));
    if (group === undefined) groups.push({ pictures: new Set([picture]), images: new Set(images) });
    else for (const image of images) group.images.add(image);
  }
  return groups.length;
}

const WHAT_IS_SAME = ['name', 'gtin', 'text'] as const;

const IS_SAME = {
  name: ({ name }: CertifiedPicture, { name: stated }: StatedProduct) =>
    stated !== undefined && plainText(stated) !== '' && plainText(stated) === plainText(name),
  gtin: ({ gtin }: CertifiedPicture, { sku }: StatedProduct) => {
    const [one, other] = [gtinOf(gtin), gtinOf(sku)];
    return one !== null && one === other;
  },
} as const;

/** As 14 digits (GS1 General Specifications), which all lengths have. */
function gtinOf(text: string | null | undefined): string | null {
  return /^(?:\d{8}|\d{12,14})$/.test(text ?? '') ? (text ?? '').padStart(14, '0') : null;
}

interface Statement extends Pick<PictureMatch, 'pictures' | 'of' | 'same'> {
  readonly first: CertifiedPicture;
  readonly textShare: number;
}

function statementOf({ pictures, of, first: { host, since }, same, textShare }: Statement): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(since);
  const which = pictures === 1 && of === 1 ? 'The picture' : `${pictures} of ${of} pictures`;
  const is = pictures === 1 ? 'is' : 'are';
  const named = {
    name: 'name',
    gtin: 'GTIN',
    text: `text (about ${Math.round(textShare * 100)} % of its phrases)`,
  };
  const words = same.map((what) => named[what]).join(' and the same ');
  const besides = words === '' ? '' : ` The page has the same ${words} as a product there.`;
  return `${which} of this page ${is} certified for ${host}, first on ${date}.${besides}`;
}
