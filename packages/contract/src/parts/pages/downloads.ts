import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { NOT_MODIFIED } from '../../operations/shared.ts';

/** What merchants install; each fits the version of the service that serves it. */
const DOWNLOADS = ['woocommerce', 'shopify', 'cli', 'certificate', 'edge', 'guides'] as const;

export type Download = (typeof DOWNLOADS)[number];

const DownloadSchema = z
  .object({
    id: z.enum(DOWNLOADS).meta({
      description:
        'The plugin for WooCommerce, the theme app extension for Shopify, the command line, a package for JavaScript, or the guides.',
    }),
    file: z.string().meta({ description: 'Name below `/downloads/`, the same in every version.' }),
    version: z.string(),
    bytes: z.int(),
    sha256: z.string().meta({ description: 'Of its bytes, in hex; `/downloads/SHA256SUMS` lists all.' }),
  })
  .meta({ id: 'Download' });

const DownloadsSchema = z.object({ downloads: z.array(DownloadSchema) });

export type Downloads = z.output<typeof DownloadsSchema>;

const common = {
  method: 'GET',
  tag: 'Operations',
  access: 'public',
  anyOrigin: true,
  anyQuery: true,
} as const;

export const listDownloads = defineOperation({
  ...common,
  id: 'listDownloads',
  path: '/downloads',
  page: true,
  cacheControl: 'no-cache',
  summary: 'What merchants install: plugin, command line and packages that fit this service',
  replies: { 200: { description: 'The files.', schema: DownloadsSchema }, 304: NOT_MODIFIED },
  errors: ['pages_not_built'],
});

export const getDownload = defineOperation({
  ...common,
  id: 'getDownload',
  unlisted: true,
  path: '/downloads/{file}',
  cacheControl: 'no-cache',
  summary: 'A file that merchants install, or SHA256SUMS',
  params: z.object({ file: z.string().max(200) }),
  replies: {
    200: { description: 'The file.', mediaType: 'application/octet-stream' },
    304: NOT_MODIFIED,
  },
  errors: ['route_unknown', 'pages_not_built'],
});
