import { describe, expect, it } from 'vitest';
import { Findings } from '../findings.ts';
import { buildDocument } from './build.ts';
import type { El, HtmlDocument } from './document.ts';

const build = (html: string): HtmlDocument => buildDocument(html, new Findings());
const first = (doc: HtmlDocument, name: string): El => doc.elements.find((el) => el.name === name) as El;
const textOf = (html: string, name: string): string => {
  const doc = build(html);
  return doc.text(first(doc, name));
};

describe('buildDocument', () => {
  it('closes elements that HTML closes implicitly', () => {
    const doc = build('<ul><li>a<li>b</ul><p>c<div>d</div><table><tr><td>e<td>f<tr><td>g</table>');
    const parents = doc.elements.slice(1).map((el) => `${el.parent?.name}>${el.name}`);
    expect(parents).toEqual([
      '#document>ul',
      'ul>li',
      'ul>li',
      '#document>p',
      '#document>div',
      '#document>table',
      'table>tr',
      'tr>td',
      'tr>td',
      'table>tr',
      'tr>td',
    ]);
  });

  it('ignores end tags without a start tag', () => {
    expect(textOf('<main><div><span>a</div></b></span>b</section>c</main>', 'main')).toBe('a b c');
    expect(textOf('<div><table><tr><td>x</div>y</td></tr></table>z</div>', 'td')).toBe('x y');
  });

  it('decodes text and attributes, and keeps the first of two equal attributes', () => {
    const doc = build('<a href="?a=1&amp;b=2&copy=3" HREF="x" title=&quot;>5 &lt; 6 &amp;amp;</a>');
    const a = first(doc, 'a');
    expect(doc.attr(a, 'href')).toBe('?a=1&b=2&copy=3');
    expect(doc.attr(a, 'title')).toBe('"');
    expect(doc.text(a)).toBe('5 < 6 &amp;');
  });

  it('separates words at block elements and not inside them', () => {
    expect(textOf('<div>12<sup>99</sup><b>x</b> y<br>z<p>p</p></div>', 'div')).toBe('1299x y z p');
  });

  it('keeps scripts out of the text, and their source unchanged', () => {
    const doc = build('<div>a<script>if (1 < 2) "</div>"</script>b</div>');
    expect(doc.text(first(doc, 'div'))).toBe('ab');
    expect(doc.inner(first(doc, 'script'))).toBe('if (1 < 2) "</div>"');
  });
});
