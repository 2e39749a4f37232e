import { describe, expect, it } from 'vitest';
import { metaContents } from './meta-tag.ts';

const read = (html: string) => metaContents(html, 'touchstone-challenge');
const tag = '<meta name="touchstone-challenge" content="abc">';

describe('the challenge in a page', () => {
  it.each([
    ['plain', tag],
    [
      'in a head with everything',
      `<!DOCTYPE html><html lang=en><head><title>A < b</title><base href="/">${tag}</head>`,
    ],
    ['unquoted', '<meta name=touchstone-challenge content=abc>'],
    ['single quotes, other order, self-closing', "<META content='abc' name='Touchstone-Challenge' />"],
    ['after a script that speaks of heads', `<head><script>if (a < b) "</head>"</script>${tag}</head>`],
    [
      'after a script of letters that are longer in lower case',
      `<script>"${'İ'.repeat(200)}"</SCRIPT>${tag}`,
    ],
    ['after a greater-than in an attribute', `<meta name="x" content="a > b">${tag}`],
  ])('is found: %s', (_, html) => {
    expect(read(html)).toEqual(['abc']);
  });

  it.each([
    ['in a comment', `<head><!-- ${tag} --></head>`],
    ['in a comment that never ends', `<head><!-- ${tag}`],
    ['in a script', `<head><script>document.write('${tag}')</script></head>`],
    ['in a script that never ends', `<head><script>${tag}`],
    ['in the title', `<head><title>${tag}</title></head>`],
    ['in noscript', `<head><noscript>${tag}</noscript></head>`],
    ['in the body', `<head></head><body>${tag}</body>`],
    ['after the first element of a body without a body tag', `<p>Review by a visitor: ${tag}`],
    ['in an attribute', `<head><meta name="x" content='${tag}'></head>`],
    ['with another name', '<meta name="touchstone" content="abc">'],
    ['as a second name', '<meta name="x" name="touchstone-challenge" content="abc">'],
    ['as a property', '<meta property="touchstone-challenge" content="abc">'],
  ])('is not found %s', (_, html) => {
    expect(read(html)).toEqual([]);
  });

  it('is found in linear time on hostile pages', () => {
    const before = process.threadCpuUsage();
    for (const page of ['<meta ', '<meta a="', '<!--', '<meta a=\'"', '<', '<script>', '<meta name']) {
      read(page.repeat(300_000 / page.length));
    }
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
