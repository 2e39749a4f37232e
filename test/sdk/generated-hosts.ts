import { domainToUnicode } from 'node:url';
import { seeded } from '../kit/random.ts';

/** Letters and marks of scripts that rules of hosts are about, signs that they map, and any other character. */
// biome-ignore format: one range after the other
const RANGES = [
  [0x61, 0x7a], [0x41, 0x5a], [0x30, 0x39], [0x2d, 0x2e], [0x5f, 0x5f], [0xa0, 0x17f], [0x300, 0x36f], [0x370, 0x4ff], [0x590, 0x5f4], [0x600, 0x6ff],
  [0x900, 0x97f], [0x9be, 0x9e3], [0x1100, 0x11ff], [0x1e00, 0x1fff], [0x200b, 0x200f], [0x200c, 0x200d], [0x2090, 0x218b], [0x3002, 0x3002],
  [0x3040, 0x30ff], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfb00, 0xfdff], [0xfe70, 0xfeff], [0xff00, 0xffef], [0x1820, 0x1842], [0x10a00, 0x10a5f],
  [0x11080, 0x110c2], [0x1d400, 0x1d7ff], [0x2f800, 0x2fa1d], [0xe0100, 0xe01ef], [0x80, 0x10ffff],
] as const;

/** Hosts that follow from a seed, each with what the URL parser of this runtime makes of it, in JSON. */
export function generatedHosts(count: number, seed: number): string[] {
  const random = seeded(seed);
  const char = (): string => {
    const [first, last] = random.of(RANGES);
    const code = first + random.integer(last - first + 1);
    return code >= 0xd800 && code <= 0xdfff ? 'x' : String.fromCodePoint(code);
  };
  const label = (): string => Array.from({ length: 1 + random.integer(4) }, char).join('');
  const hosts: string[] = [];
  for (let i = 0; i < count; i++) {
    const parts = Array.from({ length: 1 + random.integer(2) }, label);
    // what another label made, which must be found to be one
    const made = random.integer(4) === 0 ? hostOf(label()) : null;
    if (made !== null)
      parts.push(random.integer(3) === 0 ? made.slice(0, -1) + random.of(['a', '9', '-', 'z']) : made);
    const line = lineOf(parts.join('.'));
    if (line !== '') hosts.push(line);
  }
  return hosts;
}

/** Every character, alone, between letters, and between letters that are written from right to left. */
export function* everyCharacter(): Generator<string> {
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const char = String.fromCodePoint(code);
    for (const host of [char, `a${char}b`, `\u05d0${char}\u05d0`, `\u05d0${char}`]) {
      const line = lineOf(host);
      if (line !== '') yield line;
    }
  }
}

const hostOf = (host: string): string | null => URL.parse(`http://${host}/`)?.hostname ?? null;

/**
 * Only what stands for a whole host: a sign that ends it, or begins a port, makes another address. Empty where the parser did not order the
 * marks of a letter, so that what it answers is not in normal form.
 */
function lineOf(host: string): string {
  const text = host.replace(/[/\\?#@:\s%[\]]/gu, 'x');
  const found = hostOf(text);
  const isNormal = found === null || domainToUnicode(found).normalize('NFC') === domainToUnicode(found);
  return isNormal ? JSON.stringify([text, found]) : '';
}
