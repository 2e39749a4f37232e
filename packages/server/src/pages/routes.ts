import { createHash } from 'node:crypto';
import * as contract from '@touchstone/contract';
import { readingPage } from '../docs/html.ts';
import { ServiceError } from '../platform/errors.ts';
import { implement } from '../platform/http/implement.ts';
import type { Route } from '../platform/http/route.ts';
import { pageHeaders } from './page-headers.ts';
import { createPages, type IssuerAddresses, type Pages } from './pages.ts';
import type { Coding, WebBuild } from './web-build.ts';

const STANDING = [
  [contract.getHome, 'check'],
  [contract.getCheckPage, 'check'],
  [contract.getVerifierPage, 'verify'],
  [contract.getConsolePage, 'console'],
  [contract.getConsolePlace, 'console'],
] as const;

/**
 * The pages for people, and what they load.
 *
 * @param build - `null` where the pages were not built: their addresses say so
 */
export function pageRoutes(build: WebBuild | null, addresses: IssuerAddresses): Route[] {
  const pages = build === null ? null : createPages(build, addresses);
  return [
    ...STANDING.map(([operation, page]) => standingRoute(operation, page, pages)),
    implement(contract.getPageFile, async ({ params }, { headers }) => {
      const file = (await build?.file(params.file, codingsOf(headers['accept-encoding']))) ?? null;
      if (file === null) throw new ServiceError('route_unknown');
      return {
        status: 200,
        headers: {
          'content-type': typeOf(params.file),
          'cache-control': contract.getPageFile.cacheControl,
          'cross-origin-resource-policy': 'cross-origin',
          vary: 'Accept-Encoding',
          // what has its content in its name needs nothing else to be known by
          etag: `"${params.file}-${file.coding}"`,
          ...(file.coding === 'identity' ? {} : { 'content-encoding': file.coding }),
        },
        body: file.bytes,
      };
    }),
    ...verifierRoutes(build),
  ];
}

/** What makes the offline verifier an app that needs no network. */
function verifierRoutes(build: WebBuild | null): Route[] {
  const files = [
    [contract.getVerifierWorker, 'verify-worker.js', { 'content-security-policy': WORKER_POLICY }],
    [contract.getVerifierManifest, 'verify.webmanifest', {}],
  ] as const;
  return files.map(([operation, name, headers]) =>
    implement(operation, async () => {
      const bytes = await build?.named(name);
      if (!bytes) throw new ServiceError('route_unknown');
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
      const type = { 'content-type': typeOf(name), 'cache-control': operation.cacheControl };
      return { status: 200, headers: { ...type, ...headers, etag }, body: bytes };
    }),
  );
}

/** It asks this service, and nobody else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The routes, those with a page beside their JSON given it. */
export function withPages(
  routes: readonly Route[],
  build: WebBuild | null,
  addresses: IssuerAddresses,
): Route[] {
  if (build === null) return [...routes];
  const pages = createPages(build, addresses);
  return routes.map((route) => {
    const pageOf = route.page === true ? pages.about(route.id) : undefined;
    return pageOf === undefined ? route : { ...route, pageOf };
  });
}

function standingRoute(operation: (typeof STANDING)[number][0], page: string, pages: Pages | null): Route {
  const route = implement(operation, async () => notBuilt());
  if (pages === null) return route;
  return { ...route, handle: async (_, { url, headers }) => pages.standing(page, { url, headers }) };
}

/** Without a build the service does all else. */
function notBuilt() {
  const main =
    '<p>The pages of this service were not built. In its folder, <code>npm run build:pages</code> builds them; then start ' +
    'the service again. Everything else works: <a href="/docs">API reference</a>.</p>';
  const headers = { ...pageHeaders(), 'cache-control': 'no-store' };
  return { status: 200, headers, body: readingPage({ title: 'Touchstone', main }) } as const;
}

function codingsOf(accepted: string | undefined): Coding[] {
  const offered = (accepted ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  const takes = (name: string) =>
    offered.some(
      (entry) => entry === name || (entry.startsWith(`${name};`) && !/;\s*q=0(?:\.0*)?$/.test(entry)),
    );
  return (['br', 'gzip'] as const).filter(takes);
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
};

function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
