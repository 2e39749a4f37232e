import { absolute, cleanText, isNode, type Node, type PageClaim } from '@touchstone/page/document';
import { textOf, valuesOf } from '../markup-node.ts';

/** Characters of a name, a number or an issuer. */
const MAX_TEXT = 200;
/** Characters of an address, percent-encoded; a cut one would lead elsewhere. */
const MAX_ADDRESS = 1_000;

/** What is read of a claim, untrusted and of any length. */
export interface RawClaim extends Pick<PageClaim, 'kind' | 'source' | 'field'> {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly issuer?: RawIssuer | undefined;
  /** May be relative to the page. */
  readonly url?: string | undefined;
}

interface RawIssuer {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
}

/** A claim within its bounds; `undefined` if nothing is left by which anybody could ask for it. */
export function boundedClaim(raw: RawClaim, base: string): PageClaim | undefined {
  const { kind, source, field } = raw;
  const url = addressOf(raw.url, base);
  const name = shortText(raw.name);
  const id = shortText(raw.id);
  const issuer = boundedIssuer(raw.issuer);
  if (name === undefined && id === undefined && url === undefined && issuer === undefined) return undefined;
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(url === undefined ? {} : { url }),
    source,
    field: cleanText(field, MAX_TEXT),
  };
}

function boundedIssuer(raw: RawIssuer | undefined): PageClaim['issuer'] {
  const name = shortText(raw?.name);
  const id = shortText(raw?.id);
  if (name === undefined && id === undefined) return undefined;
  return { ...(name === undefined ? {} : { name }), ...(id === undefined ? {} : { id }) };
}

function shortText(text: string | undefined): string | undefined {
  const short = text === undefined ? '' : cleanText(text, MAX_TEXT);
  return short === '' ? undefined : short;
}

function addressOf(text: string | undefined, base: string): string | undefined {
  const url = text === undefined ? undefined : absolute(text, base);
  return url === undefined || url.length > MAX_ADDRESS ? undefined : url;
}

/** Who is said to have issued something: the text or node under the first of these properties that has one. */
export function issuerOf(
  node: Node,
  properties: readonly string[],
  resolve: (node: Node) => Node,
): RawIssuer | undefined {
  for (const property of properties) {
    for (const value of valuesOf(node, property)) {
      if (typeof value === 'string') return isName(value) ? { name: value } : { id: value };
      if (!isNode(value)) continue;
      const party = resolve(value);
      const name = textOf(party, 'name') ?? textOf(party, 'legalName');
      const id = idOf(party) ?? textOf(party, 'url');
      if (name !== undefined || id !== undefined) return { name, id };
    }
  }
  return undefined;
}

/** Whether a text is no URI, such as `https://…` or `did:web:…`. */
function isName(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\S+$/i.test(text.slice(0, MAX_ADDRESS).trim());
}

/** The identifier of a node: `@id`, or `id` as credentials write it. */
export function idOf(node: Node): string | undefined {
  for (const key of ['@id', 'id']) {
    const id = Object.hasOwn(node, key) ? node[key] : undefined;
    if (typeof id === 'string' && id.trim() !== '' && !id.startsWith('_:')) return id;
  }
  return undefined;
}
