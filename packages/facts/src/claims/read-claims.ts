import { isNode, type Node, type PageClaim, type ParsedPage, PRODUCT_TYPES } from '@touchstone/page/document';
import { hasType, textOf } from '../markup-node.ts';
import { referred } from '../schema-org/collect.ts';
import type { Markup } from '../schema-org/markup.ts';
import { CLAIMING, type ClaimingNode, certificationsOf, isOfOthers } from './certifications.ts';
import { boundedClaim, idOf, type RawClaim } from './claim.ts';
import { credentialIn, credentialOf, isCredentialMediaType } from './credentials.ts';
import { claimsOfLinks, digitalLink } from './links.ts';

/** Claims that are told; the finding says how many there are. */
export const MAX_CLAIMS = 20;
/** Claims that are read at most, before equal ones are told as one. */
const MAX_READ = 500;
/** Characters of all claims together. */
const MAX_LENGTH = 10_000;

/**
 * Reads which certifications, credentials, product passports and GS1 Digital Links a page states: claims of its author, of which
 * nothing is fetched or verified. Adds the finding `claims_not_proven` if there are any.
 */
export function readClaims(page: ParsedPage, markup: Markup): PageClaim[] {
  const { graph, findings, links } = page;
  const resolve = (node: Node) => referred(node, graph);
  const nodes: ClaimingNode[] = [
    ...graph.nodes.map(({ node, path }) => ({ node, path, source: 'jsonld', prefix: '' }) as const),
    ...markup.microdata.map(
      ({ node, path }) => ({ node, path, source: 'html', prefix: 'microdata:' }) as const,
    ),
    ...markup.rdfa.map(({ node, path }) => ({ node, path, source: 'html', prefix: 'rdfa:' }) as const),
  ];
  const raw: RawClaim[] = [];
  for (const one of nodes) {
    page.doc.work.spend();
    raw.push(...certificationsOf(one, resolve), ...credentialsOf(one, resolve), ...linksOf(one, links.base));
    if (raw.length >= MAX_READ) break;
  }
  raw.push(...credentialScripts(page), ...claimsOfLinks(page));
  const claims = distinct(raw.slice(0, MAX_READ).flatMap((one) => boundedClaim(one, links.base) ?? []));
  if (claims.length > 0) findings.add('claims_not_proven', String(claims.length));
  return withinLength(claims.slice(0, MAX_CLAIMS));
}

function credentialsOf(
  { node, path, source, prefix }: ClaimingNode,
  resolve: (node: Node) => Node,
): RawClaim[] {
  // a value of such a property is told as what it is stated to be
  const isTold = CLAIMING.some(([property]) => property === path.at(-1));
  const claim = isTold || isOfOthers(path) ? undefined : credentialOf(node, resolve);
  return claim === undefined
    ? []
    : [{ ...claim, source, field: `${prefix}${[...path, 'credential'].join('.')}` }];
}

/** Digital Links by which a product is named in data. */
function linksOf({ node, path, source, prefix }: ClaimingNode, base: string): RawClaim[] {
  if (!hasType(node, PRODUCT_TYPES) || isOfOthers(path)) return [];
  const named = [
    ['@id', idOf(node)],
    ['url', textOf(node, 'url')],
    ['sameAs', textOf(node, 'sameAs')],
  ] as const;
  return named.flatMap(([field, text]) =>
    text === undefined ? [] : digitalLink(text, base, prefix + field, source),
  );
}

/** Credentials in script elements of their own media types. */
function credentialScripts({ doc, index }: ParsedPage): RawClaim[] {
  return index.scripts.flatMap((script): RawClaim[] => {
    const type = doc.attr(script, 'type');
    if (!isCredentialMediaType(type)) return [];
    const claim = credentialInScript(doc.inner(script));
    const where = { source: 'html', field: `script type=${type}` } as const;
    return claim === undefined ? [{ kind: 'credential', name: type, ...where }] : [{ ...claim, ...where }];
  });
}

function credentialInScript(text: string): ReturnType<typeof credentialIn> {
  if (!text.trimStart().startsWith('{')) return credentialIn(text);
  try {
    const value: unknown = JSON.parse(text);
    return isNode(value) ? credentialOf(value, (node) => node) : undefined;
  } catch {
    return undefined;
  }
}

/** The first of claims that say the same, wherever they stand. */
function distinct(claims: readonly PageClaim[]): PageClaim[] {
  const first = new Map<string, PageClaim>();
  for (const claim of claims) {
    const { kind, name, id, issuer, url } = claim;
    const key = JSON.stringify(kind === 'digital_link' ? [kind, id] : [kind, name, id, issuer, url]);
    if (!first.has(key)) first.set(key, claim);
  }
  return [...first.values()];
}

function withinLength(claims: readonly PageClaim[]): PageClaim[] {
  let left = MAX_LENGTH;
  return claims.filter((claim) => {
    left -= JSON.stringify(claim).length;
    return left >= 0;
  });
}
