import { type CanonicalSourceReading, parseCanonicalSource } from '@touchstone/certificate';
import { comparePageUrls, createPageNormalizer, hostOf, isDomainOf } from '@touchstone/certificate/binding';
import type { SignedClaims } from '@touchstone/certificate/verify';

/** Maximum number of nodes judged that are signed neither for the page nor, on a list, for its host: each may cost a registry lookup. */
const MAX_JUDGED_NODES = 8;
/** Maximum number of proofs checked per page to find the nodes that are signed for it, or for its host: about 30 µs each. */
const MAX_CHECKED_PROOFS = 64;

/** A node as found on a page; untrusted data. */
export type Node = Readonly<Record<string, unknown>>;

/** A node with its parsed canonical source. */
export interface SelectedNode {
  readonly node: Node;
  readonly source: CanonicalSourceReading;
}

/** Returns the claims of a proof signed with a key of a trusted service, else `undefined`. Does not use the registry. */
export type ReadSigned = (jwt: string) => Promise<SignedClaims | undefined>;

export interface SelectOptions {
  readonly baseUrls: readonly string[];
  readonly readSigned?: ReadSigned | undefined;
}

/** Removes duplicates of earlier nodes. Only nodes with the same proof are compared in full. */
export function distinctNodes(nodes: readonly Node[]): readonly Node[] {
  const uses = new Map<string | null, number>();
  for (const node of nodes) uses.set(jwtOf(node), (uses.get(jwtOf(node)) ?? 0) + 1);
  const seen = new Set<unknown>();
  return nodes.filter((node) => {
    if (uses.get(jwtOf(node)) === 1) return true;
    const key = textOf(node) ?? node;
    return !seen.has(key) && seen.add(key);
  });
}

/** The node as JSON; `null` if it is nested too deeply to be serialized. */
function textOf(node: Node): string | null {
  try {
    return JSON.stringify(node);
  } catch {
    return null;
  }
}

interface RankedNode extends SelectedNode {
  readonly position: number;
  readonly rank: number;
}

/**
 * Selects the nodes to judge, in the order of the page, without duplicates. If there are more than 8, all those signed
 * for this page and their product are selected: nobody else can create one, so that added nodes cannot displace the
 * genuine one. Up to 8, others follow: first those that claim a trusted service and this page, then those that claim a
 * trusted service; among equals, one per product before a second of any product. In this order, at most 64 proofs are
 * checked and at most 64 nodes judged. If none is signed for this page, which may be a list, all those signed for its host
 * are selected in addition to the 8.
 */
export async function selectNodes(
  nodes: readonly Node[],
  pageUrl: string,
  { baseUrls, readSigned }: SelectOptions,
): Promise<readonly SelectedNode[]> {
  const normalize = createPageNormalizer();
  const isOfPage = (url: unknown) =>
    typeof url === 'string' && comparePageUrls(url, pageUrl, normalize).equal;
  const ranked = rankNodes(distinctNodes(nodes), isOfPage, baseUrls);
  if (ranked.length <= MAX_JUDGED_NODES) return ranked.toSorted(byPosition);
  const { ofPage, ofHost } =
    readSigned === undefined ? NONE_SIGNED : await signedForPage(ranked, { pageUrl, isOfPage, readSigned });
  const signed = ofPage.size > 0 ? ofPage : ofHost;
  const others = ranked
    .filter((one) => !signed.has(one))
    .slice(0, Math.max(0, MAX_JUDGED_NODES - ofPage.size));
  return ranked
    .filter((one) => signed.has(one))
    .concat(others)
    .slice(0, MAX_CHECKED_PROOFS)
    .toSorted(byPosition);
}

function byPosition(a: RankedNode, b: RankedNode): number {
  return a.position - b.position;
}

type IsOfPage = (url: unknown) => boolean;

function rankNodes(nodes: readonly Node[], isOfPage: IsOfPage, baseUrls: readonly string[]): RankedNode[] {
  const seen = new Set<string>();
  const ranked = nodes.map((node, position) => {
    const source = parseCanonicalSource(node, baseUrls);
    const product = source.kind === 'ok' ? source.productId : '';
    const isFurther = seen.has(product);
    if (source.kind === 'ok') seen.add(product);
    return { node, source, position, rank: rankOf(node, source, isOfPage) + (isFurther ? 1 : 0) };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || byPosition(a, b));
}

function rankOf(node: Node, source: CanonicalSourceReading, isOfPage: IsOfPage): number {
  if (source.kind !== 'ok') return 4;
  return isOfPage(node.url) ? 0 : 2;
}

interface SignedNodes {
  /** Signed for this page and the product that they name. */
  readonly ofPage: ReadonlySet<RankedNode>;
  /** Signed for this host and the product that they name, but for other pages. */
  readonly ofHost: ReadonlySet<RankedNode>;
}

const NONE_SIGNED: SignedNodes = { ofPage: new Set(), ofHost: new Set() };

interface SignedSearch {
  readonly pageUrl: string;
  readonly isOfPage: IsOfPage;
  readonly readSigned: ReadSigned;
}

/** Finds the nodes whose proof is signed for this page or its host. Equal proofs are checked once. */
async function signedForPage(
  ranked: readonly RankedNode[],
  { pageUrl, isOfPage, readSigned }: SignedSearch,
): Promise<SignedNodes> {
  const host = hostOf(pageUrl);
  const known = new Map<string, Promise<SignedClaims | undefined>>();
  const found = { ofPage: new Set<RankedNode>(), ofHost: new Set<RankedNode>() };
  for (const one of ranked) {
    if (found.ofPage.size === MAX_CHECKED_PROOFS) break;
    const jwt = jwtOf(one.node);
    if (one.source.kind !== 'ok' || jwt === null) continue;
    let reading = known.get(jwt);
    if (reading === undefined) {
      if (known.size === MAX_CHECKED_PROOFS) continue;
      reading = readSigned(jwt);
      known.set(jwt, reading);
    }
    const claims = await reading;
    if (claims?.productId.toLowerCase() !== one.source.productId) continue;
    if (isOfPage(claims.url)) found.ofPage.add(one);
    else if (isDomainOf(claims.domain, host)) found.ofHost.add(one);
  }
  return found;
}

function jwtOf({ proof }: Node): string | null {
  const jwt: unknown = typeof proof === 'object' && proof !== null ? (proof as Node).jwt : null;
  return typeof jwt === 'string' ? jwt : null;
}
