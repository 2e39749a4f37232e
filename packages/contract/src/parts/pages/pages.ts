import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { BROWSER_OPERATION, PAGE_REPLY } from '../../operations/shared.ts';

const PAGE = { ...BROWSER_OPERATION, replies: PAGE_REPLY, errors: ['pages_not_built'] } as const;

export const getHome = defineOperation({
  ...PAGE,
  id: 'home',
  path: '/',
  summary: 'The page for checking product pages',
});

/** With `url` in the query, the page checks that address. */
export const getCheckPage = defineOperation({ ...getHome, id: 'checkPageForPeople', path: '/check' });

export const getVerifierPage = defineOperation({
  ...PAGE,
  id: 'verifierPage',
  path: '/verify',
  summary: 'The page for verifying documents and images in the browser',
});

/** Keeps the page in the browser, for use without a connection. At the root, so that its scope includes the page. */
export const getVerifierWorker = defineOperation({
  ...BROWSER_OPERATION,
  id: 'verifierWorker',
  path: '/verify-worker.js',
  summary: 'The service worker of the verifier',
  cacheControl: 'no-cache',
  replies: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  errors: ['route_unknown', 'pages_not_built'],
});

export const getVerifierManifest = defineOperation({
  ...BROWSER_OPERATION,
  id: 'verifierManifest',
  path: '/verify.webmanifest',
  summary: 'Web app manifest of the verifier',
  cacheControl: 'no-cache',
  replies: { 200: { description: 'The manifest.', mediaType: 'application/manifest+json' } },
  errors: ['route_unknown', 'pages_not_built'],
});

/** Scripts, styles and images of pages; their names contain a hash of their content. */
export const getPageFile = defineOperation({
  ...BROWSER_OPERATION,
  id: 'pageFile',
  path: '/assets/{file}',
  summary: 'A file that pages load',
  anyOrigin: true,
  hot: true,
  cacheControl: 'public, max-age=31536000, immutable',
  params: z.object({ file: z.string().max(200) }),
  replies: { 200: { description: 'The file.', mediaType: 'application/octet-stream' } },
  errors: ['route_unknown', 'pages_not_built'],
});

/** With a permanent address, which is in pages of shops; a query may distinguish versions. */
const BADGE = {
  ...BROWSER_OPERATION,
  anyOrigin: true,
  hot: true,
  cacheControl: 'public, max-age=3600, stale-while-revalidate=86400',
  errors: ['route_unknown', 'pages_not_built'],
} as const;

export const getBadgeScript = defineOperation({
  ...BADGE,
  id: 'badgeScript',
  path: '/badge.js',
  summary: 'The badge that shops put on their pages',
  replies: { 200: { description: 'A module script.', mediaType: 'text/javascript' } },
});

/** For browsers without scripts; it makes no statement on the page. */
export const getBadgePicture = defineOperation({
  ...BADGE,
  id: 'badgePicture',
  path: '/badge.svg',
  summary: 'Picture shown where the badge cannot run',
  replies: { 200: { description: 'A picture.', mediaType: 'image/svg+xml' } },
});
