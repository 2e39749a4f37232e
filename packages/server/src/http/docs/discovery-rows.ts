import { PROTOCOL_VERSIONS } from '../../mcp/server.ts';
import { renderDocument } from '../../service/rendered-document.ts';
import { prefers } from '../accept.ts';
import { type Operation, operation, type Reply } from '../operation.ts';
import { PAGE_HEADERS } from './html.ts';
import { llmsText } from './llms-text.ts';
import { namespaceDocument } from './namespace-document.ts';
import { namespacePage } from './namespace-page.ts';
import {
  aiCatalog,
  CATALOG_PATH,
  CATALOG_TYPE,
  type PublicAddresses,
  SERVER_CARD_PATH,
  SERVER_CARD_TYPE,
  serverCard,
} from './server-card.ts';

export interface DiscoveryOptions extends PublicAddresses {
  readonly namespaceUrl: string;
  readonly version: string;
}

const LD_JSON = 'application/ld+json';

/** What leads programs that know nothing of this service to what it offers. */
export function discoveryRows(options: DiscoveryOptions): Operation[] {
  const { version, namespaceUrl } = options;
  const server = { version, protocolVersions: PROTOCOL_VERSIONS };
  const llms = { 'content-type': 'text/plain; charset=utf-8', ...CACHED };
  return [
    documentRow('getAiCatalog', CATALOG_PATH, 'Catalog of tool servers', CATALOG_TYPE, aiCatalog(options)),
    documentRow(
      'getServerCard',
      SERVER_CARD_PATH,
      'How to connect to the companion tool server',
      SERVER_CARD_TYPE,
      serverCard(options, server),
    ),
    row('getLlmsText', '/llms.txt', 'This service in words for language models', () => ({
      status: 200,
      headers: llms,
      body: llmsText(options),
    })),
    namespaceRow(namespaceUrl),
  ];
}

const CACHED = { 'cache-control': 'public, max-age=3600' };

function documentRow(id: string, path: string, summary: string, type: string, document: object): Operation {
  const { body, headers } = renderDocument(document, { 'content-type': type, ...CACHED });
  return row(id, path, summary, () => ({ status: 200, headers, body }));
}

/** One address, two readers: a page for people, JSON-LD for whoever asks for it. */
function namespaceRow(namespaceUrl: string): Operation {
  const vary = { vary: 'Accept' };
  const document = renderDocument(namespaceDocument(namespaceUrl), {
    'content-type': LD_JSON,
    ...CACHED,
    ...vary,
  });
  return row('namespace', '/ns', 'The names behind the prefix svc', (accept) =>
    prefers(accept, LD_JSON, 'text/html') || prefers(accept, 'application/json', 'text/html')
      ? { status: 200, headers: document.headers, body: document.body }
      : { status: 200, headers: { ...PAGE_HEADERS, ...vary }, body: namespacePage() },
  );
}

function row(
  id: string,
  path: string,
  summary: string,
  reply: (accept: string | undefined) => Reply,
): Operation {
  return operation({
    id,
    method: 'GET',
    path,
    tag: 'Operations',
    summary,
    access: 'public',
    anyOrigin: true,
    responses: {},
    errors: [],
    handle: async (_, call) => reply(call.headers.accept),
  });
}
