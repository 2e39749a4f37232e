import type { Operation } from '../platform/http/operation.ts';
import { renderDocument } from '../platform/http/rendered-document.ts';
import { PROTOCOL_VERSIONS } from '../tools/server.ts';
import { CACHED, discoveryRow } from './discovery-row.ts';
import { llmsText } from './llms-text.ts';
import { namespaceRows } from './namespace-rows.ts';
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

/** What leads programs that know nothing of this service to what it offers. */
export function discoveryRows(options: DiscoveryOptions): Operation[] {
  const { version } = options;
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
    discoveryRow('getLlmsText', '/llms.txt', 'This service in words for language models', () => ({
      status: 200,
      headers: llms,
      body: llmsText(options),
    })),
    ...namespaceRows(options),
  ];
}

function documentRow(id: string, path: string, summary: string, type: string, document: object): Operation {
  const { body, headers } = renderDocument(document, { 'content-type': type, ...CACHED });
  return discoveryRow(id, path, summary, () => ({ status: 200, headers, body }));
}
