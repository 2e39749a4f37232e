import { PROBLEMS, SOURCE_ERRORS } from '@touchstone/catalogue';
import { CONCLUSION_TABLE } from '@touchstone/certificate';
import { codeTables, ROW_FAULTS } from '@touchstone/contract/codes';
import { PAGE_CODES } from '@touchstone/page';
import { expect, it } from 'vitest';
import { PAGES } from '../../pages.ts';
import { LANGUAGES } from './languages.ts';

/** Every text with its path, such as `check.bad.empty`. */
function textsOf(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  return Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${place}.${name}`));
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted();

const english = textsOf(await LANGUAGES.en());
const others = Object.entries(LANGUAGES).filter(([language]) => language !== 'en');

// the types ensure that each language has every text, including those of codes
it.each(others)('%s has the same placeholders as English, and no missing text', async (_, load) => {
  const texts = new Map(textsOf(await load()));
  for (const [place, text] of english) {
    const other = texts.get(place) ?? '';
    expect([place, placeholders(other)]).toEqual([place, placeholders(text)]);
    expect([place, other === '']).toEqual([place, text === '']);
  }
});

it.each(others)('%s has no text that English does not have, except more plural forms', async (_, load) => {
  const places = new Map(english);
  for (const [place, text] of textsOf(await load())) {
    const other = place.replace(/\.(?:zero|two|few|many)$/, '.other');
    expect([place, placeholders(text)]).toEqual([
      place,
      placeholders(places.get(other) ?? 'missing in English'),
    ]);
  }
});

it.each(Object.entries(LANGUAGES))('%s has words for each conclusion, and for no other', async (_, load) => {
  const { conclusions } = await load();
  expect(Object.keys(conclusions)).toEqual(CONCLUSION_TABLE.map(({ code }) => code));
  for (const { code, level, sentence } of CONCLUSION_TABLE) {
    const { title, meaning, next, shop } = conclusions[code];
    for (const text of [title, meaning, next])
      expect([code, text]).toEqual([code, expect.stringMatching(/\S/)]);
    // host, and how its control was proven, are named where the sentence for programs names them
    for (const part of ['{host}', '{control}'])
      if (sentence.includes(part))
        expect([code, `${title} ${meaning}`]).toEqual([code, expect.stringContaining(part)]);
    // what is not good sends nobody ahead
    expect([
      code,
      level === 'good' || !/go ahead|you can rely|puede confiar/i.test(meaning + next + shop),
    ]).toEqual([code, true]);
  }
});

it('pages name existing groups', async () => {
  const groups = Object.keys(await LANGUAGES.en());
  for (const named of Object.values(PAGES)) expect(groups).toEqual(expect.arrayContaining([...named]));
});

/** Used only by tools for agents, which are in English; by SDK and command line. */
const NOT_SHOWN = new Set([
  'Codes of the companion tools',
  'Codes of items',
  'Conclusions about items',
  'Faults of credentials',
  'Faults of receipts',
]);
const codes = [
  ...codeTables(PAGE_CODES)
    .filter(({ title }) => !NOT_SHOWN.has(title))
    .flatMap(({ rows }) => rows.map(({ code }) => code)),
  ...Object.keys(ROW_FAULTS),
  ...Object.keys(PROBLEMS),
  ...Object.keys(SOURCE_ERRORS),
];

it.each(Object.entries(LANGUAGES))(
  '%s has a sentence for every code that a page may show',
  async (_, load) => {
    const groups: unknown[] = Object.values(await load());
    const lacking = codes.filter((code) => !groups.some((group) => Object.hasOwn(Object(group), code)));
    expect(lacking).toEqual([]);
  },
);
