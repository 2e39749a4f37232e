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

export const getHome = defineOperation({
  ...common,
  id: 'home',
  path: '/',
  summary: 'The page that checks pages',
  replies: PAGE,
});

/** With `url` in its query it checks that page. */
export const getCheckPage = defineOperation({ ...getHome, id: 'checkPageForPeople', path: '/check' });

export const getVerifierPage = defineOperation({
  ...common,
  id: 'verifierPage',
  path: '/verify',
  summary: 'The page that verifies documents and images in the browser',
  replies: PAGE,
});

/** Keeps that page in the browser; beside it, so that it may. */
export const getVerifierWorker = defineOperation({
  ...common,
  id: 'verifierWorker',
  path: '/verify-worker.js',
  summary: 'The service worker of the page that verifies',
  cacheControl: 'no-cache',
  replies: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  errors: ['route_unknown'],
});

export const getVerifierManifest = defineOperation({
  ...common,
  id: 'verifierManifest',
  path: '/verify.webmanifest',
  summary: 'By what the page that verifies is installed as an app',
  cacheControl: 'no-cache',
  replies: { 200: { description: 'The manifest.', mediaType: 'application/manifest+json' } },
  errors: ['route_unknown'],
});

export const getConsolePage = defineOperation({
  ...common,
  id: 'consolePage',
  path: '/console',
  summary: 'The console of merchants and operators',
  replies: PAGE,
});

/** What stands below it is shown by its script. */
export const getConsolePlace = defineOperation({ ...getConsolePage, id: 'consolePlace', path: '/console/*' });

/** Scripts, styles and pictures of pages; a name holds a hash of its content. */
export const getPageFile = defineOperation({
  ...common,
  id: 'pageFile',
  path: '/assets/{file}',
  summary: 'A file that pages load',
  anyOrigin: true,
  hot: true,
  cacheControl: 'public, max-age=31536000, immutable',
  params: z.object({ file: z.string().max(200) }),
  replies: { 200: { description: 'The file.', mediaType: 'application/octet-stream' } },
  errors: ['route_unknown'],
});

/** One address for good, since it stands on pages of shops; a query tells versions apart for those who want that. */
const BADGE = {
  ...common,
  anyOrigin: true,
  hot: true,
  cacheControl: 'public, max-age=3600, stale-while-revalidate=86400',
  errors: ['route_unknown'],
} as const;

export const getBadgeScript = defineOperation({
  ...BADGE,
  id: 'badgeScript',
  path: '/badge.js',
  summary: 'The badge that shops put on their pages',
  replies: { 200: { description: 'A module script.', mediaType: 'text/javascript' } },
});

/** Claims nothing: it stands where scripts do not run. */
export const getBadgePicture = defineOperation({
  ...BADGE,
  id: 'badgePicture',
  path: '/badge.svg',
  summary: 'The picture in the place of the badge',
  replies: { 200: { description: 'A picture.', mediaType: 'image/svg+xml' } },
});
