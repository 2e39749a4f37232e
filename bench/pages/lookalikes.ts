import { createLookalikes } from '@touchstone/lookalikes';

/**
 * Names that are compared with 10,000 protected hosts in a second, on one core: `npm run bench:pages -- lookalikes`. All of them are made of
 * syllables, so that many are near each other; half of the names have a hyphen or a subdomain. Goal: 30,000.
 */
const PROTECTED = 10_000;
const NAMES = 100_000;
const SYLLABLES =
  'ka lo mi ta ren sol ver du pin gra no bel ti mo cra fe lun zo wick har nes tor vel gim'.split(' ');

let state = 1;
const pick = (count: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % count;
};
const name = () => Array.from({ length: 3 + pick(3) }, () => SYLLABLES[pick(SYLLABLES.length)]).join('');

const known = createLookalikes();
while (known.size < PROTECTED) known.add(`${name()}.${pick(2) === 0 ? 'com' : 'es'}`);
const names = Array.from({ length: NAMES }, () => {
  const bare = pick(3) === 0 ? `${name()}-${name()}` : name();
  return `${pick(2) === 0 ? 'www.' : ''}${bare}.net`;
});

for (let round = 0; round < 3; round += 1) {
  const before = process.cpuUsage();
  let found = 0;
  for (const one of names) found += known.find(one).length;
  const { user, system } = process.cpuUsage(before);
  const perSecond = Math.round(NAMES / ((user + system) / 1_000_000));
  console.log(`${perSecond.toLocaleString('en')} names/s of CPU, ${found.toLocaleString('en')} resemblances`);
}
