import * as contract from '@touchstone/contract';
import type { StaticPage } from '../../core/core.ts';
import { ServiceError } from '../../platform/errors.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { createLanguageOf } from './language.ts';
import type { Pages } from './pages.ts';
import type { Coding, WebBuild, WebFile } from './web-build.ts';

/** Files with the same name in every version. */
const NAMED_FILES = [
  [contract.getBadgeScript, 'badge.js', { 'cross-origin-resource-policy': 'cross-origin' }],
  // the worker may connect to this service only
  [
    contract.getVerifierWorker,
    'verify-worker.js',
    { 'content-security-policy': "default-src 'none'; connect-src 'self'" },
  ],
] as const;

/** The same, with a file for each language. */
const LOCALISED_FILES = [
  [
    contract.getBadgePicture,
    (language: string) => `badge.${language}.svg`,
    { 'cross-origin-resource-policy': 'cross-origin' },
  ],
  [contract.getVerifierManifest, (language: string) => `verify.${language}.webmanifest`, {}],
] as const;

/**
 * The pages for people, and the files that they load.
 *
 * @param build - `null` if the pages were not built: their addresses then answer 503 `pages_not_built`
 * @param pages - `null` likewise
 */
export function pageRoutes(
  build: WebBuild | null,
  pages: Pages | null,
  statics: readonly StaticPage[],
): Route[] {
  const languageOf = createLanguageOf(build?.languages ?? ['en']);
  return [
    ...statics.map((page) => staticPageRoute(page, pages)),
    implement(contract.getPageFile, async ({ params: { file: name } }, { headers }) =>
      fileReply(name, await build?.file(name, codingsOf(headers['accept-encoding'])), {
        'cross-origin-resource-policy': 'cross-origin',
        // the name contains a hash of the content
        etag: name,
      }),
    ),
    ...LOCALISED_FILES.map(([operation, nameIn, further]) =>
      implement(operation, async (_, { url, headers }) => {
        const name = nameIn(languageOf({ url, headers }));
        return fileReply(name, await build?.named(name, codingsOf(headers['accept-encoding'])), {
          ...further,
          vary: 'Accept-Encoding, Accept-Language',
          etag: `${name}-${build?.stamp}`,
        });
      }),
    ),
    ...NAMED_FILES.map(([operation, name, further]) =>
      implement(operation, async (_, { headers }) =>
        fileReply(name, await build?.named(name, codingsOf(headers['accept-encoding'])), {
          ...further,
          etag: `${name}-${build?.stamp}`,
        }),
      ),
    ),
  ];
}

function staticPageRoute({ operation, page }: StaticPage, pages: Pages | null): Route {
  return {
    ...operation,
    async handle(_, { url, headers }) {
      if (pages === null) throw new ServiceError('pages_not_built');
      return pages.staticPage(page, { url, headers });
    },
  };
}

/**
 * @param file - `undefined` if the pages were not built
 * @param etag - without quotes; the coding is appended
 */
function fileReply(
  name: string,
  file: WebFile | null | undefined,
  { etag, ...headers }: Readonly<Record<string, string>>,
) {
  if (file === undefined) throw new ServiceError('pages_not_built');
  if (file === null) throw new ServiceError('route_unknown');
  const { bytes, coding } = file;
  return {
    status: 200,
    headers: {
      vary: 'Accept-Encoding',
      ...headers,
      'content-type': typeOf(name),
      etag: `"${etag}-${coding}"`,
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    },
    body: bytes,
  } as const;
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
