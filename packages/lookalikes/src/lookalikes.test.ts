import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLookalikes, hostForms } from './index.ts';
import { madeNames, SHOPS } from './testing.ts';

describe('made names', () => {
  const known = createLookalikes(SHOPS);
  const made = madeNames();
  const isFound = ({ host, of }: (typeof made)[number]) =>
    known.find(host).some((found) => found.host === of);

  it('are 500, and at least 95 % are found to resemble their shop', () => {
    expect(made).toHaveLength(500);
    const missed = made.filter((name) => !isFound(name));
    expect(missed.length / made.length, JSON.stringify(missed)).toBeLessThanOrEqual(0.05);
  });

  it('of other random choices are found as often', () => {
    for (const seed of [2, 3, 4, 5]) {
      const found = madeNames(seed).filter(isFound);
      expect(found.length).toBeGreaterThanOrEqual(475);
    }
  });
});

describe('a resemblance', () => {
  it.each([
    ['cupwоrks.com', 'confusable_characters'],
    [domainToASCII('cupwоrks.com'), 'confusable_characters'],
    ['cupw0rks.com', 'confusable_characters'],
    ['cupworks.com.secure.net', 'as_subdomain'],
    ['cupworks.net', 'another_suffix'],
    ['cup-works.com', 'hyphens'],
    ['cupworks-outlet.com', 'added_words'],
    ['officialcupworks.com', 'added_words'],
    ['cupwokrs.com', 'swapped_letters'],
    ['cupworkss.com', 'doubled_letter'],
    ['cupwrks.com', 'omitted_letter'],
    ['cupmorks.com', 'similar_spelling'],
  ])('of %s is told as %s', (host, kind) => {
    expect(createLookalikes(['cupworks.com']).find(host)).toMatchObject([
      { host: 'cupworks.com', kinds: expect.arrayContaining([kind]) },
    ]);
  });

  it('is not told of short and common names, but for foreign characters and whole hosts', () => {
    const known = createLookalikes(['shop.com', 'hp.com', 'store.es', 'fashion.com', 'moda24.com']);
    const harmless = [
      'shop.net',
      'ship.com',
      'hp.net',
      'hq.com',
      'stone.es',
      'store.com',
      'shop-outlet.com',
      'fashions.com',
    ];
    for (const host of [...harmless, 'moda25.com', 'shop.somebody.net'])
      expect(known.find(host), host).toEqual([]);
    expect(known.find('ѕhop.com')).toMatchObject([{ host: 'shop.com' }]);
    expect(known.find('hp.com.somebody.net')).toMatchObject([{ host: 'hp.com' }]);
  });

  it('ends with the last host of its domain', () => {
    const known = createLookalikes(['cupworks.com', 'www.cupworks.com']);
    known.delete('cupworks.com');
    expect(known.find('cupwork.com')).toMatchObject([{ host: 'www.cupworks.com' }]);
    known.delete('www.cupworks.com');
    expect([known.find('cupwork.com'), known.size]).toEqual([[], 0]);
  });

  it('is found among many that came and went', () => {
    const known = createLookalikes();
    const names = Array.from(
      { length: 500 },
      (_, at) => `${'bcdfghjklm'[at % 10]}${'aeiou'[at % 5]}zwq${at.toString(36)}rft.com`,
    );
    for (const name of names) known.add(name);
    known.add('cupworks.com');
    for (const name of names) known.delete(name);
    expect(known.find('cupworsk.com')).toHaveLength(1);
    expect(names.flatMap((name) => known.find(`x${name}`))).toEqual([]);
  });
});

describe('for any text', () => {
  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
  const host = fc
    .tuple(label, fc.constantFrom('com', 'es', 'co.uk', 'example'))
    .map(([name, suffix]) => `${name}.${suffix}`);
  const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.domain(), host);

  it('nothing throws', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 10 }), anything, (hosts, asked) => {
        const known = createLookalikes(hosts);
        known.find(asked);
        for (const one of hosts) known.delete(one);
        expect(known.size).toBe(0);
      }),
    );
  });

  it('names are decoded as Node does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        const ascii = domainToASCII(`${text}.example`);
        // what the DNS cannot hold is no host name
        fc.pre(/^xn--[a-z0-9-]+\.example$/.test(ascii));
        expect(hostForms(ascii)?.unicode).toBe(domainToUnicode(ascii));
      }),
    );
  });

  it('no host resembles itself, nor one above it', () => {
    fc.assert(
      fc.property(fc.oneof(host, fc.domain()), label, (name, below) => {
        const known = createLookalikes([name]);
        expect(known.find(name)).toEqual([]);
        expect(known.find(`${below}.${name}`).filter(() => hostForms(name) !== null)).toEqual([]);
      }),
    );
  });

  it('letters, hyphens and suffixes resemble each other in both directions', () => {
    const long = fc.stringMatching(/^[a-z]{10,20}$/);
    const edit = fc.tuple(fc.nat(9), fc.constantFrom('swap', 'hyphen', 'suffix', 'letter'));
    const changed = (name: string, [at, how]: [number, string]) => {
      if (how === 'suffix') return `${name}.net`;
      if (how === 'hyphen') return `${name.slice(0, at + 1)}-${name.slice(at + 1)}.com`.replace('-.', '.');
      if (how === 'letter') return `${name.slice(0, at)}q${name.slice(at + 1)}.com`;
      return `${name.slice(0, at)}${name[at + 1] ?? ''}${name[at]}${name.slice(at + 2)}.com`;
    };
    fc.assert(
      fc.property(long, edit, (name, how) => {
        const [a, b] = [`${name}.com`, changed(name, how)];
        expect(createLookalikes([a]).find(b).length).toBe(createLookalikes([b]).find(a).length);
      }),
    );
  });

  it('time is bounded, however hostile the name', () => {
    const long = 'a'.repeat(63);
    const hosts = Array.from({ length: 3_000 }, (_, at) => `${'a'.repeat(12 + (at % 40))}${at}.com`);
    const known = createLookalikes([...hosts, `${long}.com`]);
    const hostile = [
      `${long}.${long}.${long}.${'a'.repeat(57)}.com`,
      `${'a.'.repeat(125)}com`,
      `${'a-'.repeat(31)}a.com`,
      `${'я'.repeat(50)}a.com`,
      `${'a'.repeat(32)}.com`,
    ];
    const begun = performance.now();
    for (let round = 0; round < 20; round += 1) for (const name of hostile) known.find(name);
    // a hundred questions; a busy machine takes some milliseconds for each
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
