import { type Name, type NameRelation, nameOf, relate } from './names.ts';
import type { FieldAgreement, SignedValues, Statement } from './types.ts';

/** A stated name and how it relates to the signed one. */
interface Related extends Statement {
  readonly relation: NameRelation;
}

/** Names that are compared; readings have fewer. */
const MAX_NAMES = 100;

/**
 * Compares all names that a page states with the signed one.
 *
 * @param isSupported - whether an identifier or a picture agrees, so that other words may be a translation or another wording
 */
export function compareNames(
  { productName, storeName = '', domain = '', brand = '' }: SignedValues,
  names: readonly Statement[],
  isSupported: boolean,
): FieldAgreement {
  const signed = nameOf(productName);
  if (signed.words.size === 0) return { result: 'not_comparable', signed: productName };
  const shop = nameOf(`${storeName} ${hostWords(domain)}`);
  const related = names
    .slice(0, MAX_NAMES)
    .map((statement): Related => ({ ...statement, relation: relateText(signed, statement, shop) }))
    .filter(({ relation }) => relation !== 'none');
  const [first] = related;
  if (first === undefined) return { result: 'not_stated', signed: productName };
  const { result, told } = judge(related, isSupported);
  return { result, signed: productName, stated: told.value, source: told.source };
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

const BEST: readonly NameRelation[] = ['same', 'partly', 'other', 'foreign', 'none'];

/** Relates a name; of a title, which templates put together, the part that agrees best counts. */
function relateText(signed: Name, { source, value }: Statement, shop: Name): NameRelation {
  const whole = relate(signed, nameOf(value), shop);
  if (source !== 'title' && source !== 'og') return whole;
  const parts = value.split(SEPARATOR).map((part) => relate(signed, nameOf(part), shop));
  return BEST.find((relation) => relation === whole || parts.includes(relation)) ?? whole;
}

function judge(
  related: readonly Related[],
  isSupported: boolean,
): { readonly result: FieldAgreement['result']; readonly told: Statement } {
  const of = (...relations: NameRelation[]) => related.filter(({ relation }) => relations.includes(relation));
  const [other] = of('other');
  const named = of('same', 'partly');
  if (other !== undefined) {
    if (named.length === 0) return { result: isSupported ? 'not_comparable' : 'different', told: other };
    const contradicting = of('other').find((statement) => !isAside(statement, named));
    if (contradicting !== undefined) return { result: 'different', told: contradicting };
    return { result: 'not_comparable', told: other };
  }
  const [foreign] = of('foreign');
  if (foreign !== undefined) return { result: 'not_comparable', told: foreign };
  const agreeing = of('same').find(({ source }) => source !== 'title') ?? of('same')[0];
  if (agreeing !== undefined) {
    const isOnlyTitle = agreeing.source === 'title' && of('partly').length > 0;
    return { result: isOnlyTitle && !isSupported ? 'not_comparable' : 'same', told: agreeing };
  }
  const [partly] = named;
  return { result: isSupported ? 'same' : 'not_comparable', told: partly as Related };
}

/** Whether a name may be of something beside the product: one of several main headings. */
function isAside({ source }: Statement, named: readonly Related[]): boolean {
  return source === 'h1' && named.some((one) => one.source === 'h1');
}
