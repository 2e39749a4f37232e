import { expect, it } from 'vitest';
import { kindOfContent, looksLikeHtml } from './page.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it.each([
  ['text/html', 'html'],
  ['TEXT/HTML; charset=utf-8', 'html'],
  ['text/html;charset=nonsense', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/json', 'other'],
  ['text/plain', 'other'],
  ['image/png', 'other'],
  ['', 'unnamed'],
  ['html', 'unnamed'],
  [undefined, 'unnamed'],
] as const)('the type %s is %s', (type, kind) => expect(kindOfContent(type)).toBe(kind));

it.each(['<!doctype html><p>', '\n\t <html lang=en>', '\u{feff}<!DOCTYPE HTML>', '<!-- x --><p>', '<p>'])(
  'bytes that begin %j are HTML even if undeclared',
  (text) => expect(looksLikeHtml(bytes(text))).toBe(true),
);

it.each(['', '{"a":1}', '%PDF-1.7', 'hello <html>', '\u0000<html>', '<pre>'])(
  'bytes that begin %j are not',
  (text) => expect(looksLikeHtml(bytes(text))).toBe(false),
);
