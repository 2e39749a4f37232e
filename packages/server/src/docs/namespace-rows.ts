import Negotiator from 'negotiator';

import type { Operation } from '../platform/http/operation.ts';
import { renderDocument } from '../platform/http/rendered-document.ts';
import { CACHED, discoveryRow } from './discovery-row.ts';
import { PAGE_HEADERS } from './html.ts';
import { namespaceDocument } from './namespace-document.ts';
import { namespacePage } from './namespace-page.ts';

export interface NamespaceAddresses {
  readonly baseUrl: string;
  readonly namespaceUrl: string;
}

const LD_JSON = 'application/ld+json';

/** `/ns`, from which an operator may copy, and where the terms of the namespace lead if that is below our own address. */
export function namespaceRows(addresses: NamespaceAddresses): Operation[] {
  const paths = new Set(['/ns', ...ownNamespacePaths(addresses)]);
  return Array.from(paths, (path, index) =>
    namespaceRow(`namespace${index || ''}`, path, addresses.namespaceUrl),
  );
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
function namespaceRow(id: string, path: string, namespaceUrl: string): Operation {
  const vary = { vary: 'Accept' };
  const document = renderDocument(namespaceDocument(namespaceUrl), {
    'content-type': LD_JSON,
    ...CACHED,
    ...vary,
  });
  return discoveryRow(id, path, 'The names behind the prefix svc', (accept) =>
    wantsJson(accept)
      ? { status: 200, headers: document.headers, body: document.body }
      : { status: 200, headers: { ...PAGE_HEADERS, ...vary }, body: namespacePage() },
  );
}

function wantsJson(accept: string | undefined): boolean {
  const types = new Negotiator({ headers: accept === undefined ? {} : { accept } });
  // a page for whoever takes anything
  return types.mediaType(['text/html', LD_JSON, 'application/json'])?.endsWith('json') === true;
}
