import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Operation } from '@touchstone/contract';
import * as contract from '@touchstone/contract';
import { codeTables } from '@touchstone/contract/codes';
import { PAGE_CODES } from '@touchstone/page';
import { documentReply, implement } from '../../platform/http/implement.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Route } from '../../platform/http/route.ts';
import { codesPage } from './codes-page.ts';
import { PAGE_HEADERS } from './html.ts';
import { loadReferenceBundle, referencePage, startScript } from './reference.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The description of the API: the OpenAPI document, and pages for people. */
export function docsRoutes(version: string, operations: readonly Operation[]): Route[] {
  let openApi: ReturnType<typeof renderOpenApi> | undefined;
  return [
    implement(contract.getOpenApi, async () => {
      openApi ??= renderOpenApi(version, operations);
      return documentReply(await openApi);
    }),
    implement(contract.getApiReference, async () => page(referencePage())),
    implement(contract.getCodesPage, async () => page(codesPage(codeTables(PAGE_CODES)))),
    implement(contract.getReferenceStart, async () => ({
      status: 200,
      headers: { 'content-type': SCRIPT_TYPE },
      body: startScript(),
    })),
    referenceScript(version),
  ];
}

/** Created at the first request, since it takes a third of the startup time. */
async function renderOpenApi(version: string, operations: readonly Operation[]) {
  const { openApiDocument } = await import('@touchstone/contract/openapi');
  return renderDocument(openApiDocument(operations, version), {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
  });
}

function page(body: string) {
  return { status: 200, headers: PAGE_HEADERS, body } as const;
}

function referenceScript(version: string): Route {
  let bundle: Promise<Buffer> | undefined;
  const headers = {
    'content-type': SCRIPT_TYPE,
    'cache-control': 'public, max-age=86400',
    vary: 'accept-encoding',
    etag: `"reference-${version}"`,
  };
  return implement(contract.getReferenceScript, async (_, call) => {
    bundle ??= loadReferenceBundle();
    const compressed = await bundle.catch((error: unknown) => {
      bundle = undefined;
      throw error;
    });
    if (/\bgzip\b/.test(call.headers['accept-encoding'] ?? '')) {
      return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
    }
    return { status: 200, headers, body: await promisify(gunzip)(compressed) };
  });
}
