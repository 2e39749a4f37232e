import { isIP } from 'node:net';
import { callTools, getServerCard } from '@touchstone/contract';

/** The public addresses of the service and its tool server. */
export interface PublicAddresses {
  readonly baseUrl: string;
  readonly mcpUrl: string;
}

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';

const NAME = 'touchstone';

/**
 * The server card: how to connect to the tool server, for clients that only know its address (SEP-2127 of the Model
 * Context Protocol). It lists no tools; clients get them from the server itself.
 */
export function serverCard(
  { baseUrl, mcpUrl }: PublicAddresses,
  server: { readonly version: string; readonly protocolVersions: readonly string[] },
): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    name: `${reversed(new URL(mcpUrl).hostname)}/${NAME}`,
    version: server.version,
    title: 'Touchstone',
    description:
      'Checks whether a product page carries a certificate issued for this shop, page and product.',
    websiteUrl: `${baseUrl}/docs`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${mcpUrl}${callTools.path}`,
        supportedProtocolVersions: server.protocolVersions,
      },
    ],
  };
}

/** The address of the card for clients that know only the domain (AI Catalog 1.0). */
export function aiCatalog({ baseUrl, mcpUrl }: PublicAddresses): object {
  const { hostname } = new URL(baseUrl);
  return {
    specVersion: '1.0',
    host: { displayName: 'Touchstone', documentationUrl: `${baseUrl}/docs` },
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:${NAME}`,
        type: SERVER_CARD_TYPE,
        url: `${mcpUrl}${getServerCard.path}`,
      },
    ],
  };
}

/** `certificates.example` as `example.certificates`; an IP address unchanged, without characters that names must not contain. */
function reversed(hostname: string): string {
  const plain = hostname.replace(/^\[|\]$/g, '');
  if (isIP(plain) !== 0) return plain.replaceAll(':', '-');
  return plain.split('.').toReversed().join('.');
}
