import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { BROWSER_OPERATION, PAGE_REPLY } from './shared.ts';

const SCRIPT = { 200: { description: 'The script.', mediaType: 'text/javascript' } } as const;

export const getOpenApi = defineOperation({
  ...BROWSER_OPERATION,
  id: 'getOpenApi',
  path: '/api/v1/openapi.json',
  summary: 'This API as OpenAPI 3.1',
  anyOrigin: true,
  replies: { 200: { description: 'The document.', mediaType: 'application/json' } },
});

export const getApiReference = defineOperation({
  ...BROWSER_OPERATION,
  id: 'docs',
  path: '/docs',
  summary: 'API reference',
  replies: PAGE_REPLY,
});

/** Target of `type` of a problem. */
export const getCodesPage = defineOperation({
  ...BROWSER_OPERATION,
  id: 'codes',
  path: '/docs/codes',
  summary: 'Every code, explained',
  replies: PAGE_REPLY,
});

export const getReferenceStart = defineOperation({
  ...BROWSER_OPERATION,
  id: 'docsStart',
  path: '/docs/start.js',
  summary: 'Start script of the API reference',
  replies: SCRIPT,
});

export const getReferenceScript = defineOperation({
  ...BROWSER_OPERATION,
  id: 'docsReference',
  path: '/docs/reference.js',
  summary: 'Script of the API reference',
  replies: SCRIPT,
});

/** AI Catalog 1.0. */
export const getAiCatalog = defineOperation({
  ...BROWSER_OPERATION,
  id: 'getAiCatalog',
  path: '/.well-known/ai-catalog.json',
  summary: 'Catalog of tool servers',
  anyOrigin: true,
  replies: { 200: { description: 'The catalog.', mediaType: 'application/ai-catalog+json' } },
});

/** SEP-2127 of the Model Context Protocol. */
export const getServerCard = defineOperation({
  ...BROWSER_OPERATION,
  id: 'getServerCard',
  path: '/mcp/server-card',
  summary: 'Server card of the companion tool server',
  anyOrigin: true,
  replies: { 200: { description: 'The card.', mediaType: 'application/mcp-server-card+json' } },
});

export const getLlmsText = defineOperation({
  ...BROWSER_OPERATION,
  id: 'getLlmsText',
  path: '/llms.txt',
  summary: 'Description of this service for language models',
  anyOrigin: true,
  replies: { 200: { description: 'The text.', mediaType: 'text/plain' } },
});

/** An HTML page; JSON-LD if the client requests it. */
export const getNamespace = defineOperation({
  ...BROWSER_OPERATION,
  id: 'namespace',
  path: '/ns',
  summary: 'Terms of the svc namespace',
  anyOrigin: true,
  replies: { 200: { description: 'The terms with their meanings.', mediaType: 'text/html' } },
});

/** The Model Context Protocol over Streamable HTTP, which defines its own responses. */
export const callTools = defineOperation({
  id: 'callTools',
  method: 'POST',
  path: '/mcp',
  tag: 'Verification',
  summary: 'The companion tool server (Model Context Protocol)',
  access: 'public',
  unlisted: true,
  anyQuery: true,
  noStore: true,
  body: z.unknown(),
  replies: {},
  errors: [],
});
