import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseConnectTo } from '@touchstone/fetch';
import { z } from 'zod';
import {
  baseUrl,
  blobPlace,
  choice,
  databaseUrl,
  file,
  flag,
  integer,
  list,
  network,
  parsed,
  path,
  signed,
  timeStampUrl,
  url,
} from './setting-types.ts';

const LOG_LEVELS = ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'] as const;

/** May contain a password: not repeated in messages. */
const SECRET = { secret: true };
const webPort = integer(1, 65_535);
const budget = integer(1, 1_000_000);

/** The settings of the core; each part has its own. docs/settings.md is generated from all of them. */
export const SETTINGS = z.object({
  PORT: integer(0, 65_535).default(8787).describe('Port to listen on; 0: any free port.'),
  PROCESSES: integer(1, 64)
    .default(() => Math.min(availableParallelism(), 4))
    .describe('Processes that answer on this port. Default: the number of processors, at most 4.'),
  SHUTDOWN_DELAY_SECONDS: integer(0, 300)
    .default(0)
    .describe(
      'Seconds for which a node that is stopped still accepts requests, while /readyz answers 503: behind a load balancer, more than two of its checks take. Whatever stops it must wait 25 s longer.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  BASE_URL: signed(baseUrl)
    .optional()
    .describe(
      'Public address of the service, as written into certificates; at most 100 characters. Default: from HOST and PORT.',
    )
    .meta(SECRET),
  FORMER_BASE_URLS: list(baseUrl)
    .default([])
    .describe('Earlier addresses whose certificates stay valid.')
    .meta(SECRET),
  MCP_URL: baseUrl
    .optional()
    .describe('Base address of the tool server (/mcp below it), if it differs from BASE_URL.')
    .meta(SECRET),
  NAMESPACE_URL: signed(url('http', 'https'))
    .optional()
    .describe(
      'The JSON-LD namespace with the prefix svc:; at most 100 characters. One that is not below BASE_URL must show what /ns answers. Default: {BASE_URL}/ns#.',
    )
    .meta(SECRET),
  TRUST_PROXY: list(network)
    .default([])
    .describe('Networks whose X-Forwarded-For is trusted: 10.0.0.0/8,2001:db8::/32.'),

  DATA_DIR: path
    .default(() => resolve('./data'))
    .describe('Database, keys, image bytes; one service per folder. Default: ./data.'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL database to use, postgres://user:password@host/database. Default: an embedded one in the data folder.',
    )
    .meta(SECRET),
  DATABASE_CONNECTIONS: integer(2, 1000)
    .optional()
    .describe('Maximum number of connections for requests. Default: 10, or 5 per process.'),
  CHANGES: choice(['listen', 'poll'])
    .default('listen')
    .describe(
      'How this node hears of the changes of others: by LISTEN, or by reading a table four times a second, for databases without LISTEN.',
    ),
  LOCKS: choice(['advisory', 'rows'])
    .default('advisory')
    .describe(
      'How transactions of all nodes lock each other out: by advisory locks, or by rows, for databases without. The same on all nodes; rows are slower, and stay once a node has had them.',
    ),
  MASTER_KEY_FILE: path
    .optional()
    .describe(
      'Key that encrypts secrets in the database and authenticates its rows: 32 bytes, raw, in hex or base64; mode 0600. Default: master.key in the data folder.',
    ),
  SEAL_ROWS: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day such as 2026-11-20')
    .optional()
    .describe(
      'Today (UTC): vouches for the keys and owners of hosts in a database from before the service sealed them; on any other day it does nothing.',
    ),
  OPERATOR_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable ASCII characters without spaces')
    .optional()
    .describe(
      'API key of the operator, 16 to 200 characters; a new one replaces the old. Default: created at the first start and stored in the data folder.',
    )
    .meta(SECRET),
  SIGNING_ROTATE_DAYS: integer(2, 3650).default(90).describe('Days for which a key signs.'),
  CERTIFICATE_CACHE_MB: integer(1, 65_536)
    .default(64)
    .describe('Memory for cached certificates, in megabytes.'),
  STALE_SECONDS: integer(0, 300)
    .default(60)
    .describe(
      'Seconds for which certificates and verifications are answered from memory while the database does not answer, as of its last answer; 0: not at all.',
    ),
  CERTIFICATES_AHEAD: flag
    .default(true)
    .describe('Whether this node issues and renews certificates in advance.'),
  WITHOUT: list(z.string())
    .default([])
    .describe(
      'Parts that this service runs without: sources, shopify, nft, status-lists, transparency-log, receipts, sites, items, ucp, sweeps, copies, picture-matches, webhooks, publish, console, pages. Their calls answer 404 `part_left_out`, their settings mean nothing, their jobs do not run; what is stored for them stays, and events for existing webhooks wait.',
    ),
  LOG_LEVEL: choice(LOG_LEVELS).default('info').describe('Lowest level that is logged.'),

  SIGN_REQUESTS: flag
    .default(true)
    .describe(
      'Whether requests to shops are signed, so that they can identify the service; only if BASE_URL is https.',
    ),
  PAGE_CACHE_SECONDS: integer(0, 86_400)
    .default(900)
    .describe('Maximum age of an observation that `cached` page checks reuse; 0: never.'),
  FETCH_PER_CALLER: budget
    .default(1_200)
    .describe(
      'Page fetches in any minute per caller, and for all keys of a merchant together; requests of domain verifications count, too.',
    ),
  FETCH_PER_HOST: budget.default(240).describe('The same per host.'),
  FETCH_TOTAL: budget.default(3_000).describe('The same in total.'),
  PAGE_CHECK_MB_PER_CALLER: integer(1, 2_000)
    .default(8)
    .describe(
      'Megabytes of observations and reports that a caller, or a network, may store in any 10 minutes; beyond, 429.',
    ),
  PAGE_CHECK_MB: integer(1, 1_000_000)
    .default(2_048)
    .describe(
      'Megabytes of reports stored in total; beyond, the oldest are deleted before their 30 days are over.',
    ),
  FETCH_CONCURRENT: budget.default(96).describe('Concurrent page fetches on this node.'),
  FETCH_PORTS: list(webPort)
    .default([80, 443])
    .describe('Ports from which pages, and proofs of domains, may be fetched.'),
  FETCH_CA_FILE: file.optional().describe('Additional certificate authorities for page fetches, PEM.'),
  FETCH_CONNECT_TO: parsed(parseConnectTo)
    .default([])
    .describe('host[:port]=address:port,… connects to another address for a name, even a private one.'),
  // two, so that a heavy page of one caller leaves a thread for the others
  READ_THREADS: integer(1, 64).default(2).describe('Threads that read pages.'),
  REQUIRE_VERIFIED_DOMAIN: flag
    .default(false)
    .describe('Whether image-keyed verification answers 412 on an unproven domain, instead of a warning.'),

  BLOBS: blobPlace
    .optional()
    .describe(
      'Where certified image bytes are stored: a folder, or s3://bucket/prefix, with endpoint, region and keys from the usual AWS_… variables. Default: blobs in the data folder.',
    ),
  TRACING_MODULE: file
    .optional()
    .describe(
      'Module that starts an OpenTelemetry SDK in each process; traces are made only with it. It may export `shutdown`.',
    ),
  C2PA_CERT_FILE: file
    .optional()
    .describe(
      "Certificate chain that signs images, PEM, the signer's certificate first. Default: a development chain.",
    ),
  C2PA_KEY_FILE: file
    .optional()
    .describe('Private key of the chain that signs images, PKCS #8 PEM, mode 0600.'),
  C2PA_TRUST_FILE: file
    .optional()
    .describe(
      'Authorities whose image signers are trusted, PEM. Default: the list pinned by `trust update`.',
    ),
  C2PA_LEGACY_TRUST_FILE: file
    .optional()
    .describe('The same for signers from before the C2PA conformance programme, reported separately.'),
  C2PA_TSA_TRUST_FILE: file
    .optional()
    .describe('Authorities whose time stamps are trusted, PEM. Default: those of C2PA_TRUST_FILE.'),
  CAWG_TRUST_FILE: file
    .optional()
    .describe('Authorities whose signers of CAWG identity assertions are trusted, PEM.'),
  C2PA_TSA_URL: timeStampUrl
    .optional()
    .describe(
      'Time-stamp authority (RFC 3161) for our image signatures and receipts; an address with a query needs https.',
    )
    .meta(SECRET),
  IMAGE_CONCURRENT: integer(0, 64)
    .default(8)
    .describe('Images processed at the same time on this node; 0: none.'),
  IMAGE_PER_HOST: integer(1, 64)
    .default(4)
    .describe('Concurrent image fetches from one host, over all nodes.'),
  IMAGE_SPACING_MS: integer(0, 60_000)
    .default(50)
    .describe('Milliseconds between two image fetches from one host.'),
  IMAGE_PROCESSES: integer(1, 32).default(2).describe('Processes that decode images.'),
  IMAGE_ATTEMPTS: integer(1, 20).default(8).describe('Attempts before an image counts as failed.'),
  IMAGE_RETRY_SECONDS: integer(1, 3_600)
    .default(10)
    .describe('Delay before the second attempt; doubles each time.'),
  IMAGE_RECHECK_HOURS: integer(0, 8_760)
    .default(24)
    .describe('Hours until an image is scanned again; 0: never, and signatures are not renewed.'),
  PRODUCTS_PER_MERCHANT: integer(0, 2_000_000_000)
    .default(100_000)
    .describe(
      'Products that a merchant may have, deleted ones included; at least ten for each seat of its plan.',
    ),
  PRODUCTS_PER_STORE: integer(0, 2_000_000_000)
    .optional()
    .describe('Products that one store may have, deleted ones included. Default: as many as its merchant.'),
});

/** The parsed settings of the core by name. */
export type Values = z.output<typeof SETTINGS>;
