import * as contract from '@touchstone/contract';
import { PROTOCOL_REVISIONS } from '@touchstone/contract/tools';
import Negotiator from 'negotiator';
import { documentReply, implement } from '../../platform/http/implement.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Route } from '../../platform/http/route.ts';
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

/** Headers of discovery documents, which change only with the settings. */
const CACHED = { 'cache-control': 'public, max-age=3600' };
const LD_JSON = 'application/ld+json';

/** Documents by which programs discover what the service offers. */
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

/** Leaves out paths that the router would interpret as patterns. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)+\/?$/;

/** Routes of the namespace; none if it is at another host. If it ends in a slash, each term has an address. */
export function ownNamespacePaths({ baseUrl, namespaceUrl }: NamespaceAddresses): string[] {
  const [address = ''] = new URL(namespaceUrl).href.split(/[?#]/);
  if (!address.startsWith(`${baseUrl}/`)) return [];
  const path = address.slice(baseUrl.length);
  if (!PLAIN_PATH.test(path)) return [];
  return path.endsWith('/') ? [path, `${path}{term}`] : [path];
}

/** A page for people, or JSON-LD, by content negotiation. */
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
  // a page if any type is accepted
  return types.mediaType(['text/html', LD_JSON, 'application/json'])?.endsWith('json') === true;
}
