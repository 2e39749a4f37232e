import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Operation, operation, type Reply } from '../platform/http/operation.ts';
import { renderDocument } from '../platform/http/rendered-document.ts';
import { codeTables } from './code-tables.ts';
import { codesPage } from './codes-page.ts';
import { PAGE_HEADERS } from './html.ts';
import { openApiDocument } from './openapi/document.ts';
import { BUNDLE_PATH, loadReferenceBundle, referencePage, START_PATH, startScript } from './reference.ts';

const common = { method: 'GET', tag: 'Operations', access: 'public', responses: {}, errors: [] } as const;
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** What describes the API: the document itself and pages for people. `described` are the rows to describe. */
export function docsRows(described: readonly Operation[], version: string): Operation[] {
  const openApi = renderDocument(openApiDocument(described, version), {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
  });
  return [
    page('home', '/', 'The way to the documentation', () => ({
      status: 302,
      headers: { location: '/docs' },
    })),
    operation({
      ...common,
      id: 'getOpenApi',
      path: '/api/v1/openapi.json',
      summary: 'This API as OpenAPI 3.1',
      anyOrigin: true,
      handle: async () => ({ status: 200, headers: openApi.headers, body: openApi.body }),
    }),
    page('docs', '/docs', 'API reference', () => ({
      status: 200,
      headers: PAGE_HEADERS,
      body: referencePage(),
    })),
    page('codes', '/docs/codes', 'Every code, explained', () => ({
      status: 200,
      headers: PAGE_HEADERS,
      body: codesPage(codeTables()),
    })),
    page('docsStart', START_PATH, 'Starts the API reference', () => ({
      status: 200,
      headers: { 'content-type': SCRIPT_TYPE },
      body: startScript(),
    })),
    bundleRow(version),
  ];
}

function page(id: string, path: string, summary: string, reply: () => Reply): Operation {
  return operation({ ...common, id, path, summary, handle: async () => reply() });
}

function bundleRow(version: string): Operation {
  let bundle: Promise<Buffer> | undefined;
  const headers = {
    'content-type': SCRIPT_TYPE,
    'cache-control': 'public, max-age=86400',
    vary: 'accept-encoding',
    etag: `"reference-${version}"`,
  };
  return operation({
    ...common,
    id: 'docsReference',
    path: BUNDLE_PATH,
    summary: 'Script of the API reference',
    handle: async (_, call) => {
      bundle ??= loadReferenceBundle();
      const compressed = await bundle.catch((error: unknown) => {
        bundle = undefined;
        throw error;
      });
      if (/\bgzip\b/.test(call.headers['accept-encoding'] ?? '')) {
        return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
      }
      return { status: 200, headers, body: await promisify(gunzip)(compressed) };
    },
  });
}
