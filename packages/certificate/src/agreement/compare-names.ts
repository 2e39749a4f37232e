import { foldName, type Name, type NameRelation, nameOf, relate } from './names.ts';
import type { FieldAgreement, SignedValues, Statement } from './types.ts';

/** A stated name and how it relates to the signed one. */
interface Related extends Statement {
  readonly relation: NameRelation;
  /** The page's title, or a text that repeats it. */
  readonly isTitle: boolean;
}

/** Names that are compared; readings have fewer. */
const MAX_NAMES = 100;

/**
 * Compares all names that a page states with the signed one.
 *
 * @param isSupported - whether an identifier or a picture agrees, so that other words may be a translation or another wording
 */
export function compareNames(
  { productName, storeName = '', domain = '' }: SignedValues,
  names: readonly Statement[],
  isSupported: boolean,
): FieldAgreement {
  const signed = nameOf(productName);
  if (signed.words.size === 0) return { result: 'not_comparable', signed: productName };
  const shop = shopName(storeName, domain);
  const read = names.slice(0, MAX_NAMES);
  const titles = new Set(read.flatMap(({ source, value }) => (source === 'title' ? [foldName(value)] : [])));
  const all = read.map((statement): Related => {
    const isTitle = statement.source !== 'h1' && titles.has(foldName(statement.value));
    return { ...statement, isTitle, relation: relateText(signed, statement, shop, isTitle) };
  });
  const related = all.filter((one) => one.relation !== 'none' && !isVariant(one, all));
  const [first] = related;
  if (first === undefined) return { result: 'not_stated', signed: productName };
  const { result, told } = judge(related, isSupported);
  return { result, signed: productName, stated: told.value, source: told.source };
}

/** The words of a shop's name and host, which templates add to the names of products. */
export function shopName(storeName: string, domain: string): Name {
  return nameOf(`${storeName} ${hostWords(domain)}`);
}

/**
 * Whether a name is only a form of another of the same source: of a variant, with more words after the name that the data states too,
 * or a preview that an inch mark ends early.
 */
function isVariant({ source, value, relation }: Related, all: readonly Related[]): boolean {
  const alike = all.filter((one) => one.source === source);
  if (source === 'og')
    return alike.some((one) => /^\s?"/.test(one.value.slice(value.length)) && one.value.startsWith(value));
  if (source !== 'jsonld' || relation !== 'distant') return false;
  return alike.some((one) => one.relation === 'same' && value.startsWith(`${one.value} `));
}

/** Words of a host name without its public suffix and `www`; shops write them as one word. */
function hostWords(host: string): string {
  const labels = host.split('.');
  return labels
    .slice(0, -1)
    .filter((label) => label !== 'www' && label.length > 3)
    .join(' ');
}

/** Between a name and what templates add to it. */
const SEPARATOR = /\s+[-–—:·•|/~»>←→]+\s+|\s*[|–—•·»：｜]\s*|\s+by\s+/u;

const BEST: readonly NameRelation[] = ['same', 'close', 'distant', 'other', 'foreign', 'none'];

/** Relates a name; of titles, which templates put together, the part that agrees best counts. */
function relateText(signed: Name, { source, value }: Statement, shop: Name, isTitle: boolean): NameRelation {
  const whole = relate(signed, nameOf(value), shop);
  if (!isTitle && source !== 'og') return whole;
  const parts = value.split(SEPARATOR).map((part) => relate(signed, nameOf(part), shop));
  return BEST.find((relation) => relation === whole || parts.includes(relation)) ?? whole;
}

type Judged = { readonly result: FieldAgreement['result']; readonly told: Statement };

function judge(related: readonly Related[], isSupported: boolean): Judged {
  const of = (...relations: NameRelation[]) => related.filter(({ relation }) => relations.includes(relation));
  const named = of('same', 'close', 'distant');
  const [other] = of('other');
  if (other !== undefined) {
    if (named.length === 0) return { result: isSupported ? 'not_comparable' : 'different', told: other };
    const contradicting = of('other').find((one) => !isAside(one, named));
    if (contradicting !== undefined) return { result: 'different', told: contradicting };
    return { result: 'not_comparable', told: other };
  }
  // titles are written for search engines
  const distant = of('distant').find(({ source, isTitle }) => !isTitle && source !== 'og');
  const doubtful = of('foreign')[0] ?? distant;
  if (doubtful !== undefined) return { result: 'not_comparable', told: doubtful };
  const agreeing = of('same').find(({ isTitle }) => !isTitle) ?? of('same')[0];
  if (agreeing !== undefined) return { result: 'same', told: agreeing };
  const [close] = of('close');
  if (close !== undefined) return { result: isSupported ? 'same' : 'not_comparable', told: close };
  return { result: 'not_comparable', told: named[0] as Related };
}

/**
 * Whether a name that differs leaves it open what the page is about, if the main heading agrees: another main heading, or a title or
 * preview, which may name the shop or have been written for search engines.
 */
function isAside({ source, isTitle }: Related, named: readonly Related[]): boolean {
  return (isTitle || source === 'h1' || source === 'og') && named.some((one) => one.source === 'h1');
}
