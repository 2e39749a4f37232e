import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../kit/imports.ts';

/** Texts that careless code does not treat as text: markup, addresses, directions, invisible characters. */
const OWN = [
  '<script>globalThis.ran = true</script><img src=x onerror="globalThis.ran = true">',
  '"><svg onload=alert(1)><a href="javascript:alert(1)">x</a>',
  '{{constructor.constructor("alert(1)")()}} </title></textarea>',
  'javascript:alert(1) data:text/html,<script>alert(1)</script>',
  '\u202egnp.exe \u2066\u200b\ufeff\u2028 ﷽ 田中さん',
  // one grapheme cluster, which cannot be broken into lines
  '\u{e0041}'.repeat(60),
] as const;

/** Values in the place of a name or identifier in an address. */
export const HOSTILE_PARTS: readonly string[] = [
  OWN[0],
  OWN[1],
  `\u202e${'Donaudampfschifffahrtsgesellschaft'.repeat(8)}`,
];

/** Addresses that careless code mishandles: schemes, names, hosts, paths, and invisible characters. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  'javascript:alert(1)//http://shop.example/',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/<script>alert(1)</script>',
  'http://"><script>alert(1)</script>.example/',
  'http://shop.example@evil.example/<svg onload=alert(1)>',
  'http://user:"><svg onload=alert(1)>@shop.example/',
  'http://shop.example\\@evil.example/',
  'http://\u202eelpmaxe.pohs/\u2066\u200b',
  `http://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example/`,
  'http://sh\u043ep.example/',
  'http://127.0.0.1:22/"><script>alert(1)</script>',
  'http://[::ffff:7f00:1]/',
  'http://shop.example/"><svg onload=alert(1)>?a=\'"><img src=x onerror=alert(1)>#</title><script>alert(1)</script>',
  'http://shop.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E/%00/%ff/..%2f',
  `http://shop.example/${'Donaudampfschifffahrtsgesellschaft'.repeat(30)}?${'&=<b>'.repeat(60)}`,
];

/** These, and the Big List of Naughty Strings if the corpora are beside the repository. */
export function strangeStrings(): string[] {
  const folder = process.env.TOUCHSTONE_CORPORA ?? join(ROOT, '../shared/corpora');
  const file = join(folder, 'strings/blns.json');
  const others = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [];
  return [...OWN, ...others].filter((text) => text.trim() !== '');
}

/** The same, combined into texts of a maximum length. */
export function hostileStrings(length = 180): string[] {
  const texts: string[] = [...OWN];
  let text = '';
  // texts that the registry rejects never appear on a page
  for (const other of strangeStrings().map((one) => one.replaceAll('\0', '').toWellFormed().trim())) {
    if (text.length + other.length > length) {
      texts.push(text);
      text = '';
    }
    // cutting may split a surrogate pair
    text = `${text} ${other}`.slice(0, length).toWellFormed();
  }
  return [...texts, text].filter((one) => one.trim() !== '');
}
