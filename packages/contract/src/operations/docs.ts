import { z } from 'zod';
import { defineOperation } from '../operation.ts';

const common = {
  method: 'GET',
  tag: 'Operations',
  access: 'public',
  unlisted: true,
  anyQuery: true,
  errors: [],
} as const;

const PAGE = { 200: { description: 'A page.', mediaType: 'text/html' } } as const;
const SCRIPT = { 200: { description: 'The script.', mediaType: 'text/javascript' } } as const;

export const getOpenApi = defineOperation({
  ...common,
  id: 'getOpenApi',
  path: '/api/v1/openapi.json',
  summary: 'This API as OpenAPI 3.1',
  anyOrigin: true,
  replies: { 200: { description: 'The document.', mediaType: 'application/json' } },
});

export const getApiReference = defineOperation({
  ...common,
  id: 'docs',
  path: '/docs',
  summary: 'API reference',
  replies: PAGE,
});

/** What `type` of a problem links to. */
export const getCodesPage = defineOperation({
  ...common,
  id: 'codes',
  path: '/docs/codes',
  summary: 'Every code, explained',
  replies: PAGE,
});

export const getReferenceStart = defineOperation({
  ...common,
  id: 'docsStart',
  path: '/docs/start.js',
  summary: 'Starts the API reference',
  replies: SCRIPT,
});

export const getReferenceScript = defineOperation({
  ...common,
  id: 'docsReference',
  path: '/docs/reference.js',
  summary: 'Script of the API reference',
  replies: SCRIPT,
});

/** AI Catalog 1.0. */
export const getAiCatalog = defineOperation({
  ...common,
  id: 'getAiCatalog',
  path: '/.well-known/ai-catalog.json',
  summary: 'Catalog of tool servers',
  anyOrigin: true,
  replies: { 200: { description: 'The catalog.', mediaType: 'application/ai-catalog+json' } },
});

/** SEP-2127 of the Model Context Protocol. */
export const getServerCard = defineOperation({
  ...common,
  id: 'getServerCard',
  path: '/mcp/server-card',
  summary: 'How to connect to the companion tool server',
  anyOrigin: true,
  replies: { 200: { description: 'The card.', mediaType: 'application/mcp-server-card+json' } },
});

export const getLlmsText = defineOperation({
  ...common,
  id: 'getLlmsText',
  path: '/llms.txt',
  summary: 'This service in words for language models',
  anyOrigin: true,
  replies: { 200: { description: 'The text.', mediaType: 'text/plain' } },
});

/** A page for people, JSON-LD for whoever asks for it. */
export const getNamespace = defineOperation({
  ...common,
  id: 'namespace',
  path: '/ns',
  summary: 'The names behind the prefix svc',
  anyOrigin: true,
  replies: { 200: { description: 'The names, and what they mean.', mediaType: 'text/html' } },
});

/** The Model Context Protocol over Streamable HTTP, which says itself what it answers. */
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
