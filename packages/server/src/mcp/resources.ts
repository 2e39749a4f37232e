import {
  INTERNAL_ERROR,
  type McpServer,
  ProtocolError,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isUuid } from '@touchstone/certificate/verify';
import { explainCode } from './explanations.ts';
import { toolFault } from './tool-fault.ts';
import type { ToolUseCases } from './use-cases.ts';

const JWKS_URI = 'touchstone://jwks';

/** Templates are parsed once; they hold nothing of a call. */
export interface ResourceTemplates {
  readonly certificate: ResourceTemplate;
  readonly code: ResourceTemplate;
}

export function resourceTemplates(): ResourceTemplates {
  const template = (uri: string) => new ResourceTemplate(uri, { list: undefined });
  return {
    certificate: template('touchstone://certificates/{productId}'),
    code: template('touchstone://codes/{code}'),
  };
}

/** What an agent may read beside calling tools: a certificate, the key set, the meaning of a code. */
export function addResources(
  server: McpServer,
  templates: ResourceTemplates,
  { use, onFault }: { readonly use: ToolUseCases; readonly onFault: (error: unknown) => void },
): void {
  const read = async (uri: URL, mimeType: string, text: () => Promise<string> | string) => {
    try {
      return { contents: [{ uri: uri.href, mimeType, text: await text() }] };
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const { code, message } = toolFault(error, onFault);
      if (code === 'product_unknown') throw new ResourceNotFoundError(uri.href, message);
      throw new ProtocolError(INTERNAL_ERROR, message, { code });
    }
  };
  server.registerResource(
    'jwks',
    JWKS_URI,
    {
      title: 'Public keys',
      description: 'The key set that proofs are verified with.',
      mimeType: 'application/json',
    },
    (uri) => read(uri, 'application/json', () => use.getJwks()),
  );
  server.registerResource(
    'certificate',
    templates.certificate,
    {
      title: 'Product certificate',
      description: 'The certificate that is served for a product.',
      mimeType: 'application/ld+json',
    },
    (uri, { productId }) =>
      read(uri, 'application/ld+json', () => {
        if (!isUuid(productId)) throw new ResourceNotFoundError(uri.href, 'A product is named by a UUID.');
        return use.getCertificate(productId);
      }),
  );
  server.registerResource(
    'code',
    templates.code,
    {
      title: 'Meaning of a code',
      description: 'What a verdict or code means, and what to do.',
      mimeType: 'application/json',
    },
    (uri, { code }) =>
      read(uri, 'application/json', () => {
        const explanation = explainCode(String(code));
        if (explanation === null) throw new ResourceNotFoundError(uri.href, 'No answer carries this code.');
        return JSON.stringify(explanation);
      }),
  );
}
