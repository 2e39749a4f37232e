/** A name that somebody could register to be taken for a shop. */
export interface MadeName {
  readonly host: string;
  /** The protected host that it imitates. */
  readonly of: string;
  readonly way: string;
}

/** Hosts of shops that do not exist, with names as shops have them. */
export const SHOPS: readonly string[] = `
cupworks.com lanternhill.co.uk www.oakandfern.com brightpaws.de casamarbella.es tejidosluna.es northwick.com velvetine.fr
kupferkanne.de www.mistraleyewear.com ramblersocks.com pinecrestoutfitters.com solbrisa.es atelierdumont.fr
www.thistledownwool.co.uk grindhousecoffee.com zapatilleria.es hollowaytea.com bergwerkstatt.ch olivarvieja.es
nimbuslamps.com corvidleather.com saltmarshceramics.com ginkgotoys.com tidepoolswim.com`
  .trim()
  .split(/\s+/);

const PLAIN_FORM: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', i: 'і' };

/** The ways in which names are made; each makes a label, or a whole host, from a name and its suffix. */
const WAYS: Readonly<
  Record<string, (name: string, suffix: string, pick: (count: number) => number) => string>
> = {
  'a Cyrillic letter': (name, suffix, pick) => {
    const places = [...name].flatMap((char, at) => (char in PLAIN_FORM ? [at] : []));
    const at = places[pick(places.length)] ?? 0;
    return `${name.slice(0, at)}${PLAIN_FORM[name[at] ?? ''] ?? 'і'}${name.slice(at + 1)}.${suffix}`;
  },
  'an accent': (name, suffix) => `${name.replace(/[aeiou]/, (vowel) => `${vowel}\u0301`)}.${suffix}`,
  'digits for letters': (name, suffix) =>
    `${name.replace(/[loeas]/, (char) => ({ l: '1', o: '0', e: '3', a: '4' })[char] ?? '5')}.${suffix}`,
  'rn for m, vv for w, h for n': (name, suffix) =>
    `${name.replace(/[mwni]/, (char) => ({ m: 'rn', w: 'vv', n: 'h' })[char] ?? 'j')}.${suffix}`,
  'swapped letters': (name, suffix, pick) => {
    const at = 1 + pick(name.length - 2);
    return `${name.slice(0, at)}${name[at + 1] ?? ''}${name[at]}${name.slice(at + 2)}.${suffix}`;
  },
  'a doubled letter': (name, suffix, pick) => {
    const at = pick(name.length);
    return `${name.slice(0, at)}${name[at]}${name.slice(at)}.${suffix}`;
  },
  'a letter less': (name, suffix, pick) => {
    const at = 1 + pick(name.length - 1);
    return `${name.slice(0, at)}${name.slice(at + 1)}.${suffix}`;
  },
  'another letter': (name, suffix, pick) => {
    const at = pick(name.length);
    return `${name.slice(0, at)}${['x', 'y', 'z'][pick(3)]}${name.slice(at + 1)}.${suffix}`;
  },
  'a hyphen': (name, suffix, pick) => {
    const at = 2 + pick(name.length - 3);
    return `${name.slice(0, at)}-${name.slice(at)}.${suffix}`;
  },
  'a word behind a hyphen': (name, suffix, pick) =>
    `${name}-${['outlet', 'sale', 'official', 'shop', 'usa', 'uk', 'es', 'store', 'rebajas'][pick(9)]}.${suffix}`,
  'a word before it': (name, suffix, pick) =>
    `${['my', 'the', 'shop', 'buy', 'official', 'outlet', 'tienda'][pick(7)]}${name}.${suffix}`,
  'two words': (name, _, pick) => `${name}-${['outlet', 'factory', 'online'][pick(3)]}-sale.com`,
  'a number': (name, suffix, pick) => `${name}${1 + pick(99)}.${suffix}`,
  'another suffix': (name, suffix, pick) =>
    `${name}.${['shop', 'store', 'net', 'top', 'online', 'co'].filter((other) => other !== suffix)[pick(6)]}`,
  'below another domain': (name, suffix) => `${name}.${suffix}.secure-checkout.net`,
  'its name below another': (name) => `${name}.dealportal.top`,
  'with www in the name': (name, suffix) => `www-${name}.${suffix}`,
  'a word and another suffix': (name, _, pick) => `${name}outlet.${['top', 'shop', 'vip'][pick(3)]}`,
  'two other letters': (name, suffix, pick) => {
    const at = 1 + pick(Math.floor(name.length / 2) - 1);
    const then = at + 2 + pick(name.length - at - 2);
    return `${name.slice(0, at)}${name.slice(at + 1, then)}${'aeio'[pick(4)]}${name.slice(then)}.${suffix}`;
  },
  'a name on a platform': (name) => `${name}.myshopify.com`,
};

/** 500 names, each made from one of the shops; the same for the same seed. */
export function madeNames(seed = 1): MadeName[] {
  let state = seed;
  const pick = (count: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % Math.max(1, count);
  };
  return Object.entries(WAYS).flatMap(([way, make]) =>
    SHOPS.map((of) => {
      const [name = '', ...suffix] = of.replace(/^www\./, '').split('.');
      return { host: make(name, suffix.join('.'), pick), of, way };
    }),
  );
}
