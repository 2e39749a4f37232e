import { statedGtin } from '@touchstone/certificate/item';
import { absolute, type El, type ParsedPage } from '@touchstone/page/document';
import type { RawClaim } from './claim.ts';
import { isCredentialMediaType } from './credentials.ts';

/** Links of a page that are read; a page with more is no product page. */
const MAX_LINKS = 5_000;

/** Link relations to what others certify: of IANA, of the GS1 Web Vocabulary and of UNTP. */
const RELATIONS: ReadonlyMap<string, RawClaim['kind']> = new Map([
  ['dpp', 'product_passport'],
  ['gs1:dpp', 'product_passport'],
  ['https://ref.gs1.org/voc/dpp', 'product_passport'],
  ['https://gs1.org/voc/dpp', 'product_passport'],
  ['untp:dpp', 'product_passport'],
  ['untp:dcc', 'certification'],
  ['gs1:certificationinfo', 'certification'],
  ['https://ref.gs1.org/voc/certificationinfo', 'certification'],
  ['https://gs1.org/voc/certificationinfo', 'certification'],
]);

/** Claims to which the page's links lead, told by the relation, media type or address of each; nothing is fetched. */
export function claimsOfLinks({ doc, index, links }: ParsedPage): RawClaim[] {
  const anchors = doc.elements.filter(({ name }) => name === 'a').slice(0, MAX_LINKS);
  return [...index.links.slice(0, MAX_LINKS), ...anchors].flatMap((el): RawClaim[] => {
    const url = doc.attr(el, 'href');
    if (url === undefined) return [];
    const name = el.name === 'a' ? doc.text(el, 200) : doc.attr(el, 'title');
    const relation = relationOf(doc.attr(el, 'rel'));
    if (relation !== undefined)
      return [{ kind: relation.kind, name, url, source: 'html', field: fieldOf(el, `rel=${relation.rel}`) }];
    const type = doc.attr(el, 'type');
    if (isCredentialMediaType(type))
      return [
        { kind: 'credential', name: name || type, url, source: 'html', field: fieldOf(el, `type=${type}`) },
      ];
    return digitalLink(url, links.base, fieldOf(el, 'href'));
  });
}

function fieldOf({ name }: El, what: string): string {
  return `${name} ${what}`;
}

function relationOf(
  rel: string | undefined,
): { readonly rel: string; readonly kind: RawClaim['kind'] } | undefined {
  for (const word of (rel ?? '').slice(0, 500).toLowerCase().split(/\s+/)) {
    const kind = RELATIONS.get(word);
    if (kind !== undefined) return { rel: word, kind };
  }
  return undefined;
}

/** Path of a GS1 Digital Link: a GTIN is written with 14 digits, and may be followed by batch or serial number. */
const DIGITAL_LINK = /\/01\/\d{14}(?:[/?#]|$)/;

/** What an address claims that is a GS1 Digital Link: that the product is that of a GTIN. */
export function digitalLink(
  text: string,
  base: string,
  field: string,
  source: RawClaim['source'] = 'html',
): RawClaim[] {
  if (!DIGITAL_LINK.test(text)) return [];
  const url = absolute(text, base);
  const gtin = url === undefined ? null : statedGtin(url);
  return gtin === null ? [] : [{ kind: 'digital_link', id: gtin, url, source, field }];
}
