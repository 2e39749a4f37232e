/**
 * Measures which copies of certified pictures are found, and whether unrelated ones are: `npm run bench:images -- copies [folder of
 * photographs [at most so many]]`; without a folder it fetches photographs of food with npm. The limits were chosen on photographs whose
 * names hash to an even number; the goals are checked on the others. Exits with 1 if a goal is missed.
 */
import { copyOf, FOUND_CHANGES, OTHER_CHANGES, SAME_BYTES } from '../../test/kit/copied-pictures.ts';
import { hashesOf, isFound, knownOf } from './known.ts';
import { measureHalves, type Photo } from './photos.ts';

const GOALS: readonly string[] = [SAME_BYTES, ...Object.keys(FOUND_CHANGES)];
/** Share of pages with four pictures, and with two, of which two pictures are found; of single pictures with the same bytes. */
const LEAST = { page: 0.95, sameBytes: 0.99 };

let missed = 0;

async function measure(title: string, photos: readonly Photo[], isChecked: boolean): Promise<void> {
  console.log(`\n${title}: ${photos.length} photographs`);
  const originals = await Promise.all(photos.map(async ({ file }) => knownOf(await hashesOf(file))));
  for (const name of [...GOALS, ...Object.keys(OTHER_CHANGES)]) {
    const found: boolean[] = [];
    for (const [nth, photo] of photos.entries()) {
      const copy = knownOf(await hashesOf(await copyOf(photo, name)));
      found.push(isFound(copy, originals[nth] ?? knownOf({ uhash: '' })));
    }
    const single = found.filter(Boolean).length / found.length;
    const [two, four] = [pagesFound(found, 2), pagesFound(found, 4)];
    const isMissed =
      isChecked &&
      GOALS.includes(name) &&
      (two < LEAST.page || four < LEAST.page || (name === SAME_BYTES && single < LEAST.sameBytes));
    if (isMissed) missed += 1;
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);
    console.log(
      `  ${name.padEnd(28)}${percent(single)} of pictures,${percent(two)} of pages with two,${percent(four)} with four${isMissed ? '  MISSED' : ''}`,
    );
  }
  let [pairs, alike] = [0, 0];
  for (const [nth, one] of originals.entries()) {
    for (const other of originals.slice(nth + 1)) {
      if (one.hashes.uhash === other.hashes.uhash) continue;
      pairs += 1;
      if (isFound(one, other)) alike += 1;
    }
  }
  if (isChecked && alike > 0) missed += 1;
  // without any, three in so many is the upper bound of the 95 % interval (rule of three)
  const bound = alike === 0 ? `; below 1 in ${Math.floor(pairs / 3)} with 95 %` : '';
  console.log(`  pairs of different photographs: ${alike} of ${pairs} told to be the same${bound}`);
}

/** Share of pages with so many pictures, one after another, of which at least two are found. */
function pagesFound(found: readonly boolean[], size: number): number {
  const pages = Array.from({ length: Math.floor(found.length / size) }, (_, page) =>
    found.slice(page * size, (page + 1) * size),
  );
  return pages.filter((page) => page.filter(Boolean).length >= 2).length / pages.length;
}

await measureHalves(measure);
console.log(`\n${missed} goals missed.`);
process.exitCode = missed > 0 ? 1 : 0;
