import * as contract from '@touchstone/contract';
import { PROTOCOL_REVISIONS } from '@touchstone/contract/tools';
import Negotiator from 'negotiator';
import { documentReply, implement } from '../platform/http/implement.ts';
import { renderDocument } from '../platform/http/rendered-document.ts';
import type { Route } from '../platform/http/route.ts';
import { PAGE_HEADERS } from './html.ts';
import { llmsText } from './llms-text.ts';
import { namespaceDocument, namespacePage } from './namespace.ts';
import {
  aiCatalog,
  CATALOG_TYPE,
  type PublicAddresses,
  SERVER_CARD_TYPE,
  serverCard,
} from './server-card.ts';

export interface NamespaceAddresses {
  readonly baseUrl: string;
  readonly namespaceUrl: string;
}

export interface DiscoveryOptions extends PublicAddresses, NamespaceAddresses {
  readonly version: string;
}

/** Of what says where things are: it changes with the settings only. */
const CACHED = { 'cache-control': 'public, max-age=3600' };
const LD_JSON = 'application/ld+json';

/** What leads programs that know nothing of this service to what it offers. */
export function discoveryRoutes(options: DiscoveryOptions): Route[] {
  const { version } = options;
  const catalog = renderDocument(aiCatalog(options), { 'content-type': CATALOG_TYPE, ...CACHED });
  const card = renderDocument(serverCard(options, { version, protocolVersions: PROTOCOL_REVISIONS }), {
    'content-type': SERVER_CARD_TYPE,
    ...CACHED,
  });
  return [
    implement(contract.getAiCatalog, async () => documentReply(catalog)),
    implement(contract.getServerCard, async () => documentReply(card)),
    implement(contract.getLlmsText, async () => ({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', ...CACHED },
      body: llmsText(options),
    })),
    ...namespaceRoutes(options),
  ];
}

/** `/ns`, from which an operator may copy, and where the terms of the namespace lead if that is below our own address. */
function namespaceRoutes(addresses: NamespaceAddresses): Route[] {
  const paths = new Set([contract.getNamespace.path, ...ownNamespacePaths(addresses)]);
  return Array.from(paths, (path, index) => namespaceRoute(index, path, addresses.namespaceUrl));
}

/** What the router would take for a pattern is left out. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)+\/?$/;

/** None where the namespace lies elsewhere. One that ends in a slash has an address for each term. */
export function ownNamespacePaths({ baseUrl, namespaceUrl }: NamespaceAddresses): string[] {
  const [address = ''] = new URL(namespaceUrl).href.split(/[?#]/);
  if (!address.startsWith(`${baseUrl}/`)) return [];
  const path = address.slice(baseUrl.length);
  if (!PLAIN_PATH.test(path)) return [];
  return path.endsWith('/') ? [path, `${path}{term}`] : [path];
}

/** One address, two readers: a page for people, JSON-LD for whoever asks for it. */
function namespaceRoute(index: number, path: string, namespaceUrl: string): Route {
  const vary = { vary: 'Accept' };
  const document = renderDocument(namespaceDocument(namespaceUrl), {
    'content-type': LD_JSON,
    ...CACHED,
    ...vary,
  });
  const operation = { ...contract.getNamespace, id: `${contract.getNamespace.id}${index || ''}`, path };
  return implement(operation, async (_, { headers: { accept } }) =>
    wantsJson(accept)
      ? documentReply(document)
      : { status: 200, headers: { ...PAGE_HEADERS, ...vary }, body: namespacePage() },
  );
}

function wantsJson(accept: string | undefined): boolean {
  const types = new Negotiator({ headers: accept === undefined ? {} : { accept } });
  // a page for whoever takes anything
  return types.mediaType(['text/html', LD_JSON, 'application/json'])?.endsWith('json') === true;
}
