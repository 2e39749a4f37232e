import { join, resolve } from 'node:path';
import { type ConnectTo, parseConnectTo } from '@touchstone/page/fetch';
import { type ChainSetting, parseChain } from './chain-setting.ts';
import { type ImageConfig, readImageConfig } from './config-images.ts';
import { parseNetwork } from './parse-network.ts';
import { type Settings, SettingsReader } from './settings-reader.ts';

/** Everything that an operator can set (docs/operating.md), read once at start. */
export interface Config {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Without a slash at the end; absent: made from host and port. */
  readonly baseUrl?: string;
  readonly formerBaseUrls: readonly string[];
  readonly mcpUrl?: string;
  readonly namespaceUrl?: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absent: an embedded PostgreSQL in the data folder. */
  readonly databaseUrl?: string;
  /** Absent: `master.key` in the data folder. */
  readonly masterKeyFile?: string;
  /** Absent: made at first start and kept in the data folder. */
  readonly operatorKey?: string;
  readonly requireVerifiedDomain: boolean;
  /** Chains that tokens can be recorded on. */
  readonly nftChains: readonly ChainSetting[];
  /** Blocks that must stand on a token's transaction, its own included. */
  readonly nftConfirmations: number;
  /** Networks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  readonly fetch: FetchConfig;
  readonly images: ImageConfig;
  /** Threads that read pages, beside the one that answers. */
  readonly readThreads: number;
  /** How old an observation may be that `cached` serves; 0: never reuse one. */
  readonly pageCacheSeconds: number;
  /** Days that a signing key signs before its standby takes over. */
  readonly signingRotateDays: number;
  /** Bytes of rendered certificates held in memory. */
  readonly certificateCacheBytes: number;
  /** Connections to the database at the most. */
  readonly databaseConnections: number;
  readonly logLevel: LogLevel;
  /** Settings that were given and mean nothing, for one warning at start. */
  readonly unknown: readonly string[];
}

export interface FetchConfig {
  readonly connectTo: readonly ConnectTo[];
  readonly caFile?: string;
  readonly ports: readonly number[];
  /** Network fetches in any 60 s: for one caller, to one host, in all. */
  readonly perCaller: number;
  readonly perHost: number;
  readonly total: number;
  /** Fetches under way at this node. */
  readonly concurrent: number;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The client's side (CLI): no typing mistakes. */
const KNOWN_ELSEWHERE = ['SERVICE', 'KEY', 'ISSUER', 'CORPORA'];

/**
 * Reads the settings out of an environment-like record.
 *
 * @throws ConfigError listing every fault at once, each with what to do
 */
export function readConfig(settings: Settings): Config {
  const read = new SettingsReader(settings);
  const baseUrl = read.baseUrl('BASE_URL');
  const dataDir = resolve(read.text('DATA_DIR') ?? './data');
  const config: Config = {
    port: read.integer('PORT', { fallback: 8787, min: 0, max: 65_535 }),
    host: read.text('HOST') ?? '127.0.0.1',
    ...optional('baseUrl', baseUrl),
    formerBaseUrls: read.list('FORMER_BASE_URLS', (text) => read.asBaseUrl(text)),
    ...optional('mcpUrl', read.baseUrl('MCP_URL')),
    ...optional('namespaceUrl', read.url('NAMESPACE_URL')),
    dataDir,
    ...optional('databaseUrl', read.url('DATABASE_URL', ['postgres:', 'postgresql:'])),
    ...optional('masterKeyFile', read.path('MASTER_KEY_FILE')),
    ...optional('operatorKey', operatorKey(read)),
    requireVerifiedDomain: read.boolean('REQUIRE_VERIFIED_DOMAIN', false),
    nftChains: nftChains(read),
    nftConfirmations: read.integer('NFT_CONFIRMATIONS', { fallback: 12, min: 1, max: 100_000 }),
    trustProxy: read.list('TRUST_PROXY', network),
    fetch: readFetch(read),
    images: readImageConfig(read, dataDir),
    // two, so that one heavy page holds nobody else up (decision 18)
    readThreads: read.integer('READ_THREADS', { fallback: 2, min: 1, max: 64 }),
    pageCacheSeconds: read.integer('PAGE_CACHE_SECONDS', { fallback: 900, min: 0, max: 86_400 }),
    signingRotateDays: read.integer('SIGNING_ROTATE_DAYS', { fallback: 90, min: 2, max: 3650 }),
    certificateCacheBytes:
      read.integer('CERTIFICATE_CACHE_MB', { fallback: 64, min: 1, max: 65_536 }) * 1024 * 1024,
    databaseConnections: read.integer('DATABASE_CONNECTIONS', { fallback: 10, min: 2, max: 1000 }),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    unknown: read.unknown(KNOWN_ELSEWHERE),
  };
  read.finish();
  return config;
}

/** Where the master key is; `named` says that the operator chose the place. */
export function masterKeyPlace(config: Config): { readonly path: string; readonly named: boolean } {
  return config.masterKeyFile === undefined
    ? { path: join(config.dataDir, 'master.key'), named: false }
    : { path: config.masterKeyFile, named: true };
}

function readFetch(read: SettingsReader): FetchConfig {
  const connectTo = read.parsed('FETCH_CONNECT_TO', parseConnectTo, 'host[:port]=address:port,…');
  const ports = read.list('FETCH_PORTS', port);
  const budget = (name: string, fallback: number) => read.integer(name, { fallback, min: 1, max: 1_000_000 });
  return {
    connectTo: connectTo ?? [],
    ...optional('caFile', read.file('FETCH_CA_FILE')),
    ports: ports.length === 0 ? [80, 443] : ports,
    perCaller: budget('FETCH_PER_CALLER', 1_200),
    perHost: budget('FETCH_PER_HOST', 240),
    total: budget('FETCH_TOTAL', 3_000),
    concurrent: budget('FETCH_CONCURRENT', 96),
  };
}

function operatorKey(read: SettingsReader): string | undefined {
  const key = read.text('OPERATOR_KEY');
  if (key !== undefined && !/^[\x21-\x7e]{16,200}$/.test(key)) {
    read.fault('OPERATOR_KEY', 'must be 16 to 200 printable ASCII characters without spaces', {
      secret: true,
    });
  }
  return key;
}

function nftChains(read: SettingsReader): ChainSetting[] {
  const chains = read.list('NFT_CHAINS', parseChain);
  const names = chains.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) read.fault('NFT_CHAINS', `names ${twice.join(', ')} twice`, { secret: true });
  return chains;
}

function network(text: string): string {
  if (parseNetwork(text) === null)
    throw new RangeError(`"${text}" is no address or network such as 10.0.0.0/8`);
  return text;
}

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > 65_535) throw new RangeError(`"${text}" is no port`);
  return value;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
