import { expect, it } from 'vitest';
import { neededWith } from '../scripts/packages/needs.ts';

it('a package depends on those of our packages that it imports, and on theirs', () => {
  const packages: Record<string, Record<string, string>> = {
    '@touchstone/cli': { '@touchstone/page': '1', zod: '4' },
    '@touchstone/page': { '@touchstone/certificate': '1' },
    '@touchstone/certificate': { zod: '4' },
  };
  const dependenciesOf = (name: string) => packages[name] ?? {};
  expect(neededWith('@touchstone/cli', dependenciesOf)).toEqual([
    '@touchstone/certificate',
    '@touchstone/page',
  ]);
  expect(neededWith('@touchstone/certificate', dependenciesOf)).toEqual([]);
});
