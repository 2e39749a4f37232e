import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseConnectTo } from '@touchstone/page/fetch';
import { z } from 'zod';
import { parseChain } from './chain-setting.ts';
import {
  baseUrl,
  blobPlace,
  choice,
  file,
  flag,
  integer,
  list,
  network,
  parsed,
  path,
  url,
} from './setting-types.ts';

const LOG_LEVELS = ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'] as const;

/** May contain a password: not repeated in messages. */
const SECRET = { secret: true };
const webPort = integer(1, 65_535);
const budget = integer(1, 1_000_000);
const chains = list(parsed(parseChain)).superRefine((entries, context) => {
  const names = entries.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) context.addIssue(`names ${twice.join(', ')} twice`);
});

/** Everything that an operator can set; docs/guides/operator.md says the same in a table. */
export const SETTINGS = z.object({
  PORT: integer(0, 65_535).default(8787).describe('Where it listens; 0: any free port.'),
  PROCESSES: integer(1, 64)
    .default(() => Math.min(availableParallelism(), 4))
    .describe('Processes that answer on its port. Default: as many as processors, 4 at the most.'),
  HOST: z.string().default('127.0.0.1').describe('The address that it listens on.'),
  BASE_URL: baseUrl
    .optional()
    .describe('Its own address, as written into certificates. Default: from HOST and PORT.')
    .meta(SECRET),
  FORMER_BASE_URLS: list(baseUrl)
    .default([])
    .describe('Addresses that it had before, whose certificates stay good.')
    .meta(SECRET),
  MCP_URL: baseUrl.optional().describe('Where the tool server is reached, if not at BASE_URL.').meta(SECRET),
  NAMESPACE_URL: url('http', 'https')
    .optional()
    .describe('The JSON-LD namespace behind svc:. Default: {BASE_URL}/ns#.')
    .meta(SECRET),
  TRUST_PROXY: list(network).default([]).describe('Networks whose X-Forwarded-For is believed.'),

  DATA_DIR: path
    .default(() => resolve('./data'))
    .describe('Database, keys, bytes of images; one service per folder.'),
  DATABASE_URL: url('postgres', 'postgresql')
    .optional()
    .describe('A PostgreSQL to use. Default: an embedded one in the data folder.')
    .meta(SECRET),
  DATABASE_CONNECTIONS: integer(2, 1000)
    .optional()
    .describe('Connections for requests, at the most. Default: 10, or 5 for each process.'),
  MASTER_KEY_FILE: path
    .optional()
    .describe('Seals the private keys. Default: master.key in the data folder.'),
  OPERATOR_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable ASCII characters without spaces')
    .optional()
    .describe('Default: made at the first start and kept in the data folder.')
    .meta(SECRET),
  SIGNING_ROTATE_DAYS: integer(2, 3650).default(90).describe('Days that a key signs.'),
  CERTIFICATE_CACHE_MB: integer(1, 65_536).default(64).describe('Rendered certificates held in memory.'),
  CERTIFICATES_AHEAD: flag
    .default(true)
    .describe('This node makes and renews certificates before they are asked for.'),
  LOG_LEVEL: choice(LOG_LEVELS).default('info').describe('The least level that is logged.'),

  SIGN_REQUESTS: flag
    .default(true)
    .describe('Requests to shops carry a signature that says who asks; only where BASE_URL is https.'),
  PAGE_CACHE_SECONDS: integer(0, 86_400)
    .default(900)
    .describe('How old an observation may be that `cached` page checks reuse; 0: never.'),
  FETCH_PER_CALLER: budget.default(1_200).describe('Page fetches in any minute for one caller.'),
  FETCH_PER_HOST: budget.default(240).describe('The same to one host.'),
  FETCH_TOTAL: budget.default(3_000).describe('The same in all.'),
  PAGE_CHECK_MB_PER_CALLER: integer(1, 2_000)
    .default(8)
    .describe('Megabytes kept of page checks in any 10 minutes for one caller, or one network.'),
  PAGE_CHECK_MB: integer(1, 1_000_000)
    .default(2_048)
    .describe('Megabytes of reports of page checks; beyond, the oldest go before their 30 days.'),
  FETCH_CONCURRENT: budget.default(96).describe('Page fetches at a time on this node.'),
  FETCH_PORTS: list(webPort).default([80, 443]).describe('Ports that pages are fetched from.'),
  FETCH_CA_FILE: file.optional().describe('Further certificate authorities for page fetches, PEM.'),
  FETCH_CONNECT_TO: parsed(parseConnectTo)
    .default([])
    .describe('host[:port]=address:port,… dials a name at another address, also a private one.'),
  // two, so that a heavy page of one caller leaves a thread for the others
  READ_THREADS: integer(1, 64).default(2).describe('Threads that read pages.'),
  REQUIRE_VERIFIED_DOMAIN: flag
    .default(false)
    .describe('Image-keyed verification answers 412 on a domain whose control is not proven.'),

  SWEEPS: flag.default(true).describe('This node checks the pages of stores by itself.'),
  SWEEP_PAGES_PER_DAY: budget.default(2_000).describe('Pages of one store that are checked a day.'),
  SWEEP_PER_HOST: integer(1, 1_000).default(10).describe('Pages of one host that are checked in any minute.'),
  SWEEP_HOURS: integer(1, 8_760)
    .default(24)
    .describe('Until a page is checked again, where the budgets allow it.'),
  WEBHOOK_HTTP: flag.default(false).describe('Webhooks may have addresses without TLS; for development.'),

  BLOBS: blobPlace
    .optional()
    .describe(
      'Certified bytes of images: a folder, or s3://bucket/prefix. Default: blobs in the data folder.',
    ),
  C2PA_CERT_FILE: file
    .optional()
    .describe('Certificates that images are signed by, PEM. Default: development.'),
  C2PA_KEY_FILE: file.optional().describe('Their private key, PKCS #8 PEM.'),
  C2PA_TRUST_FILE: file
    .optional()
    .describe('Authorities whose signers of images are trusted, PEM. Default: as pinned by trust update.'),
  C2PA_LEGACY_TRUST_FILE: file
    .optional()
    .describe('The same for signers of before the C2PA conformance programme; told apart.'),
  C2PA_TSA_TRUST_FILE: file
    .optional()
    .describe('Authorities whose time stamps are trusted, PEM. Default: those of C2PA_TRUST_FILE.'),
  CAWG_TRUST_FILE: file
    .optional()
    .describe('Authorities whose signers of CAWG identity assertions are trusted, PEM.'),
  C2PA_TSA_URL: url('http', 'https')
    .optional()
    .describe('Time-stamp authority (RFC 3161) that stamps our signatures of images.')
    .meta(SECRET),
  IMAGE_CONCURRENT: integer(0, 64)
    .default(8)
    .describe('Images under way on this node; 0: a node that answers only.'),
  IMAGE_PER_HOST: integer(1, 64).default(4).describe('Images at a time from one host, over all nodes.'),
  IMAGE_SPACING_MS: integer(0, 60_000).default(50).describe('Milliseconds between two images of one host.'),
  IMAGE_PROCESSES: integer(1, 32).default(2).describe('Processes that open images.'),
  IMAGE_ATTEMPTS: integer(1, 20).default(8).describe('Attempts before an image counts as failed.'),
  IMAGE_RETRY_SECONDS: integer(1, 3_600)
    .default(10)
    .describe('Wait before the second attempt; it doubles each time.'),
  IMAGE_RECHECK_HOURS: integer(0, 8_760).default(24).describe('Until an image is scanned again; 0: never.'),
  IMPORTS_CONCURRENT: integer(0, 32)
    .default(2)
    .describe('Catalogues that this node reads at a time; 0: none.'),
  IMPORT_INTERVAL_MS: integer(0, 60_000)
    .default(500)
    .describe('Milliseconds between two requests of an import.'),
  NFT_CHAINS: chains
    .default([])
    .describe('name|chainId=rpcUrl|explorerUrl,…: chains on which tokens of images may be recorded.')
    .meta(SECRET),
  NFT_CONFIRMATIONS: integer(1, 100_000)
    .default(12)
    .describe("Blocks that must stand on a token's transaction, its own included."),
});

/** The parsed settings by name. */
export type Values = z.output<typeof SETTINGS>;
