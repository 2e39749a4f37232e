import { expect, it } from 'vitest';
import { wantsPage, wantsType } from './wants-page.ts';

it.each([
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'TEXT/HTML; charset=utf-8',
  'application/xhtml+xml',
  'application/json, text/html',
  'application/ld+json;q=0.9, text/html;q=0.9',
  'text/html;q=0.2, */*',
])('%s is sent by a person', (accept) => {
  expect(wantsPage({ accept })).toBe(true);
});

it.each([
  undefined,
  '',
  '*/*',
  'text/*',
  'application/json',
  'application/ld+json, text/html;q=0.9',
  'application/problem+json, text/html;q=0.5',
  'text/html;q=0',
  'text/html;q=often',
  'text/htmlx',
])('%s is sent by a program', (accept) => {
  expect(wantsPage(accept === undefined ? {} : { accept })).toBe(false);
});

const JWT = 'application/vc+jwt';

it.each([
  JWT,
  'Application/VC+JWT',
  `${JWT}, */*;q=0.1`,
  `application/ld+json;q=0.9, ${JWT}`,
  `application/json, ${JWT}`,
])('another media type is wanted by %s', (accept) => {
  expect(wantsType({ accept }, JWT)).toBe(true);
});

it.each([
  undefined,
  '*/*',
  'application/*',
  'application/json',
  `${JWT};q=0`,
  `${JWT};q=x`,
  `application/ld+json, ${JWT};q=0.5`,
  `text/html, ${JWT}`,
  'application/vc+jwt2',
])('another media type is not wanted by %s', (accept) => {
  expect(wantsType({ accept }, JWT)).toBe(false);
});
