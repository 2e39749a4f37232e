/**
 * How alike the texts of different products are: `npm run bench:pages -- texts <folder> [pairs]`, with the offers of each shop in the folder
 * (resellers/offers.ts). A text is also compared with itself, with its sentences in another order. Products are divided in two: the
 * threshold was chosen on the first half, and is checked on the second.
 */
import { SAME_TEXT } from '../../packages/server/src/parts/picture-matches/product-texts.ts';
import { shareOfText, sketchText } from '../../packages/server/src/parts/picture-matches/text-sketch.ts';
import { seeded } from '../../test/kit/random.ts';
import { shuffledSentences } from '../../test/publishing/clones/make-clones.ts';
import { type Offer, readOffers } from './resellers/offers.ts';

const [folder = '', pairs = '1000000'] = process.argv.slice(2);
/** Limits between which pairs are counted: no pair below the first is told, whatever the threshold. */
const STEPS = [0.2, 0.3, SAME_TEXT, 0.5, 0.6, 0.8];

interface Known extends Offer {
  readonly sketch: Uint8Array;
}

const offers = [...readOffers(folder).values()].flat();
const known = offers.flatMap((offer): Known[] => {
  const sketch = offer.text === undefined ? undefined : sketchText(offer.text);
  return sketch === undefined ? [] : [{ ...offer, sketch }];
});
const hosts = new Set(known.map(({ host }) => host));
console.log(`${known.length} of ${offers.length} texts can be recognised, of ${hosts.size} shops`);

const print = (title: string, shares: readonly number[]) => {
  const above = STEPS.map((step) => `≥ ${step}: ${shares.filter((share) => share >= step).length}`);
  console.log(`  ${title}: ${shares.length}; ${above.join(', ')}`);
};
const halfOf = (product: string) =>
  [...product].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 2;

for (const half of [0, 1]) {
  console.log(half === 0 ? 'chosen on' : 'checked on');
  const own = known.filter(({ product }) => halfOf(product) === half);
  const random = seeded(1 + half);
  const shares = {
    'other products, other shops': [] as number[],
    'other products, one shop': [] as number[],
  };
  const shops = [...Map.groupBy(own, ({ host }) => host).values()].filter(({ length }) => length > 1);
  for (let nth = 0; nth < Number(pairs); nth += 1) {
    const of = nth % 2 === 0 ? own : random.of(shops);
    const [a, b] = [random.of(of), random.of(of)];
    if (a.product === b.product) continue;
    const share = shareOfText(a.sketch, b.sketch);
    shares[a.host === b.host ? 'other products, one shop' : 'other products, other shops'].push(share);
  }
  for (const [title, of] of Object.entries(shares)) print(title, of);
  const honest = [...Map.groupBy(own, ({ product }) => product).values()].flatMap((of) =>
    of
      .slice(0, 40)
      .flatMap((a, nth) =>
        of.slice(0, nth).flatMap((b) => (a.host === b.host ? [] : [shareOfText(a.sketch, b.sketch)])),
      ),
  );
  print('one product, other shops', honest);
  const shuffled = own.flatMap(({ text = '', sketch }, nth) => {
    const changed = shuffledSentences(text, nth);
    const other = changed === text ? undefined : sketchText(changed);
    return other === undefined ? [] : [shareOfText(sketch, other)];
  });
  print('the same text, its sentences in another order', shuffled);
}
