import { type CanonicalSourceReading, parseCanonicalSource } from '@touchstone/certificate';
import { comparePageUrls, createPageNormalizer } from '@touchstone/certificate/binding';
import type { SignedClaims } from '@touchstone/certificate/verify';

/** How many certificate nodes of one page are judged that are not signed for it: each may be a look into the registry. */
const MAX_JUDGED_NODES = 8;
/** How many proofs of one page are checked to find the nodes that are signed for it: some 30 µs each. */
const MAX_CHECKED_PROOFS = 64;

/** A node as found on a page; hostile data. */
export type Node = Readonly<Record<string, unknown>>;

/** A node with where it says that it comes from. */
export interface SelectedNode {
  readonly node: Node;
  readonly source: CanonicalSourceReading;
}

/** What a proof says, where a key of a trusted service signed it; `undefined` for every other. No registry is asked. */
export type ReadSigned = (jwt: string) => Promise<SignedClaims | undefined>;

export interface SelectOptions {
  readonly baseUrls: readonly string[];
  readonly readSigned?: ReadSigned | undefined;
}

/** The nodes without those that say what an earlier one says. Only nodes with one proof are compared as a whole. */
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

/** `null` for what is nested too deeply to be written. */
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
 * The certificate nodes of a page that are judged, in the order of the page; equal ones once. Where there are more than 8,
 * those that are signed for this page and product are all judged: nobody else can make one, so that no crowd keeps the
 * genuine node out. The rest of the 8 are those that say that they are of a trusted service and for this page, then of a
 * trusted service; of these one for each product before a second for any. In this order 64 proofs are checked, and no more
 * than 64 nodes are judged.
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
  const signed = readSigned === undefined ? new Set() : await signedForPage(ranked, isOfPage, readSigned);
  const others = ranked.filter((one) => !signed.has(one));
  return ranked
    .filter((one) => signed.has(one))
    .concat(others.slice(0, Math.max(0, MAX_JUDGED_NODES - signed.size)))
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

/** The nodes whose proof is signed for this page and the product that the node names. Equal proofs are checked once. */
async function signedForPage(
  ranked: readonly RankedNode[],
  isOfPage: IsOfPage,
  readSigned: ReadSigned,
): Promise<Set<RankedNode>> {
  const known = new Map<string, Promise<SignedClaims | undefined>>();
  const signed = new Set<RankedNode>();
  for (const one of ranked) {
    if (signed.size === MAX_CHECKED_PROOFS) break;
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
    if (isOfPage(claims.url)) signed.add(one);
  }
  return signed;
}

function jwtOf({ proof }: Node): string | null {
  const jwt: unknown = typeof proof === 'object' && proof !== null ? (proof as Node).jwt : null;
  return typeof jwt === 'string' ? jwt : null;
}
