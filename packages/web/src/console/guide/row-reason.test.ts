import { PROBLEMS } from '@touchstone/catalogue';
import { ROW_FAULTS } from '@touchstone/contract/codes';
import { expect, test } from 'vitest';
import { parseRowReason } from './row-reason.ts';

const known = { ...PROBLEMS, ...ROW_FAULTS };

test.each([
  [
    'of a catalogue, with the found value after the sentence',
    ['address_foreign', 'The address of the product is not on the store URL. It is on https://a.example.'],
    { code: 'address_foreign', value: 'It is on https://a.example.' },
  ],
  ['of a catalogue, alone', ['name_missing', PROBLEMS.name_missing], { code: 'name_missing' }],
  [
    'of the registry, with its field and what was met within the sentence',
    [
      'host_not_of_store url',
      'url: The host b.example is not a domain of this store; add it as one first; name: Field required',
    ],
    { code: 'host_not_of_store', field: 'url', value: 'b.example' },
  ],
  [
    'of the registry, the first of several',
    [
      'string_too_long name, missing url',
      'name: String should have at most 300 characters; url: Field required',
    ],
    { code: 'string_too_long', field: 'name' },
  ],
  [
    'whose code only says that it is refused',
    ['value_error name', 'name: Text may not hold a NUL character'],
    { code: 'value_error', field: 'name', value: 'name: Text may not hold a NUL character' },
  ],
  ['that is unknown', ['other', 'anything'], { code: 'other' }],
  ['without a kind', ['', 'anything'], { code: '' }],
] as const)('a reason %s is parsed', (_, [kind, reason], expected) => {
  expect(parseRowReason(kind, reason, known)).toEqual(expected);
});
