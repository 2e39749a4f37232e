import { describe, expect, it } from 'vitest';
import type { CertifiedPicture } from './find-pictures.ts';
import type { SharedTexts } from './product-texts.ts';
import { tellPictures } from './tell-pictures.ts';

const certified = (picture: number, changes: Partial<CertifiedPicture> = {}): CertifiedPicture => ({
  picture,
  merchantId: 'merchant',
  imageId: `image ${picture}`,
  productId: 'cup',
  host: 'shop.example',
  since: new Date('2026-03-05T10:00:00Z'),
  name: 'Blue cup',
  sku: null,
  gtin: '4006381333931',
  told: true,
  isMakers: false,
  isOwn: false,
  isAllowed: false,
  ...changes,
});

const tell = (
  found: readonly CertifiedPicture[],
  {
    of = 5,
    stated = {},
    capped = false,
    texts = new Map(),
  }: { of?: number; stated?: object; capped?: boolean; texts?: SharedTexts } = {},
) =>
  tellPictures(
    {
      addresses: Array.from({ length: of }, (_, n) => `https://copy.example/${n}.jpg`),
      leftOut: false,
      stated,
    },
    { found, compared: Array.from({ length: of }, () => true), capped },
    texts,
  );
const codesOf = ({ findings }: ReturnType<typeof tell>) => findings.map(({ code }) => code);

describe('about the pictures of a page', () => {
  it('the shop is named with their number and the day of the first', () => {
    const found = [0, 1, 2, 4].map((picture) => certified(picture));
    const first = certified(2, { imageId: 'older', since: new Date('2026-03-03T23:59:59Z') });
    const { matches, findings } = tell([...found, first]);
    expect(matches.map(({ statement }) => statement)).toEqual([
      '4 of 5 pictures of this page are certified for shop.example, first on 3 March 2026.',
    ]);
    expect(findings.map(({ code }) => code)).toEqual(['pictures_certified_for', 'pictures_first_here']);
  });

  it('one alone says nothing, and two that are the same one are one', () => {
    expect(codesOf(tell([certified(0)]))).toEqual(['picture_alone']);
    const twice = tell([certified(0, { imageId: 'a' }), certified(1, { imageId: 'a' })]);
    expect([twice.matches, codesOf(twice)]).toEqual([[], ['picture_alone']]);
  });

  it('one together with the text of its product is told, with the share, and not with that of another one', () => {
    const { matches } = tell([certified(0)], { texts: new Map([['cup', 0.876]]) });
    expect(matches).toMatchObject([{ same: ['text'], textShare: 0.88 }]);
    expect(matches[0]?.statement).toContain('the same text (about 88 % of its phrases) as a product there.');
    expect(codesOf(tell([certified(0)], { texts: new Map([['bowl', 1]]) }))).toEqual(['picture_alone']);
    // text alone is nothing
    expect(tell([], { texts: new Map([['cup', 1]]) }).matches).toEqual([]);
  });

  it('one together with the same name or GTIN is told, and an empty name is none', () => {
    expect(tell([certified(0)], { stated: { name: 'BLUE  Cup' } }).matches).toMatchObject([
      { same: ['name'] },
    ]);
    expect(tell([certified(0)], { stated: { sku: '04006381333931' } }).matches).toMatchObject([
      { same: ['gtin'] },
    ]);
    expect(tell([certified(0, { name: ' ' })], { stated: { name: '' } }).matches).toEqual([]);
    expect(tell([certified(0, { gtin: null })], { stated: { sku: '' } }).matches).toEqual([]);
  });

  it.each([
    ['of several merchants', { merchantId: 'other' }, 'pictures_of_several'],
    [
      'of several merchants, one of whom owns the page',
      { merchantId: 'other', isOwn: true },
      'pictures_of_several',
    ],
    ['of a maker', { merchantId: 'other', isMakers: true }, 'pictures_of_maker'],
  ])('those %s prove nothing', (_, changes, code) => {
    const found = [0, 1].flatMap((picture) => [certified(picture), certified(picture, changes)]);
    const told = tell(found);
    expect([told.matches, codesOf(told)]).toEqual([[], [code]]);
  });

  it.each([{ told: false }, { isAllowed: true }])('nothing is told for %o', (changes) => {
    const told = tell([certified(0, changes), certified(1, changes)]);
    expect([told.matches, codesOf(told)]).toEqual([[], ['pictures_unknown']]);
  });

  it('a merchant that is not to be named is told of to itself alone, and its pictures still prove nothing for others', () => {
    const hidden = { merchantId: 'hidden', told: false };
    const found = [0, 1].map((picture) => certified(picture, hidden));
    expect(tell(found).originals).toMatchObject([{ merchantId: 'hidden', match: { pictures: 2 } }]);
    for (const changes of [{ isOwn: true }, { isMakers: true }, { isAllowed: true }]) {
      const told = tell(found.map((each) => ({ ...each, ...changes })));
      expect([told.matches, told.originals, codesOf(told)]).toEqual([[], [], ['pictures_unknown']]);
    }
    const shared = tell([...found, certified(0), certified(1)]);
    expect([shared.matches, shared.originals, codesOf(shared)]).toEqual([[], [], ['pictures_of_several']]);
  });

  it('that not all were compared is said, and that nothing was found is not said of nothing', () => {
    expect(codesOf(tell([], { capped: true }))).toEqual(['pictures_unknown', 'pictures_many_alike']);
    expect(codesOf(tell([], { of: 0 }))).toEqual(['pictures_absent']);
  });
});
