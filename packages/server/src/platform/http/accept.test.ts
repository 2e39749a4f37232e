import { expect, test } from 'vitest';
import { prefers } from './accept.ts';

const LD = 'application/ld+json';

test.each([
  ['application/ld+json', true],
  ['application/ld+json;q=0.9, text/html;q=0.5', true],
  ['text/html, application/ld+json;q=0.9', false],
  ['text/html,*/*', false],
  ['application/*, */*;q=0.1', true],
  ['APPLICATION/LD+JSON ; Q=0.2', true],
  ['application/ld+json;q=0', false],
  ['application/ld+json;q=x', false],
  [undefined, false],
  ['', false],
])('Accept: %s asks for JSON-LD rather than a page: %s', (accept, answer) => {
  expect(prefers(accept, LD, 'text/html')).toBe(answer);
});
