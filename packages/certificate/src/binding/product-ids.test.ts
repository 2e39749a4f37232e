import { expect, it } from 'vitest';
import { isUuid } from './product-ids.ts';

it('accepts only a UUID, in either case', () => {
  expect(isUuid('0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6')).toBe(true);
  expect(isUuid('0B54ECB8-6A0C-4D43-A2EE-AE49E0C8A0A6')).toBe(true);
  const uuid = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
  for (const text of [uuid.replaceAll('-', ''), ` ${uuid}`, `${uuid}0`, `${uuid}\n`, [uuid], '', 7, null]) {
    expect(isUuid(text)).toBe(false);
  }
});
