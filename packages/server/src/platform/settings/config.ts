import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../lifecycle/start-error.ts';
import { secretAddressFault } from './setting-types.ts';
import { SETTINGS, type Values } from './settings.ts';

/** Prefix of all settings in the environment. */
const PREFIX = 'TOUCHSTONE_';
/** Settings of the command line, which are not misspelt settings of the service. */
const KNOWN_ELSEWHERE = ['SERVICE', 'KEY', 'ISSUER', 'CORPORA', 'WOOCOMMERCE_KEY'];

/** The environment, or a record like it. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** The settings as the service uses them, read once at start. */
export type Config = ReturnType<typeof configOf> & {
  /** The texts of the settings of parts, by name without the prefix; see `settingsIn`. */
  readonly ofParts: Settings;
};
export type FetchConfig = Config['fetch'];
export type ImageConfig = Config['images'];
/** Where blobs are stored. */
export type BlobPlace = { readonly folder: string } | S3Place;
export interface S3Place {
  readonly bucket: string;
  /** Prefix of every key; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string | undefined;
  /** Address of an S3 service other than Amazon's. */
  readonly endpoint: string | undefined;
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined;
}
export type SignerFiles = NonNullable<ImageConfig['signer']>;

/** Refuses the start; the message lists every wrong setting with the reason. */
export class ConfigError extends StartError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** A part of the service, as far as its settings are concerned. */
export interface ConfiguredPart {
  readonly name: string;
  /** Without the prefix. */
  readonly settings?: z.ZodRawShape;
}

/**
 * Reads the settings of the core and of all parts but those in `WITHOUT`; an empty value counts as absent.
 *
 * @throws ConfigError listing all faults, each with what to do
 */
export function parseConfig(settings: Settings, parts: readonly ConfiguredPart[]): Config {
  const names = parts.map(({ name }) => name);
  const without = SETTINGS.shape.WITHOUT.parse(textOf(settings, `${PREFIX}WITHOUT`));
  const ofParts = Object.assign(
    {},
    ...parts.filter(({ name }) => !without.includes(name)).map((part) => part.settings),
  );
  const schema = SETTINGS.extend(ofParts as z.ZodRawShape);
  const textsOf = (shape: object) =>
    Object.fromEntries(Object.keys(shape).map((name) => [name, textOf(settings, PREFIX + name)]));
  const texts = textsOf(schema.shape);
  const { success, data, error } = schema.safeParse(texts);
  const faults = [
    ...(error?.issues ?? []).map((issue) => describeIssue(issue, schema.shape, texts)),
    ...without
      .filter((name) => !names.includes(name))
      .map((name) => `${PREFIX}WITHOUT names "${name}", which is no part; the parts are ${names.join(', ')}`),
    ...pairFaults(texts),
    ...endpointFaults(settings),
  ];
  if (!success || faults.length > 0) throw new ConfigError(faults);
  const unknown = Object.keys(settings)
    .filter((name) => name.startsWith(PREFIX))
    .filter((name) => ![...Object.keys(texts), ...KNOWN_ELSEWHERE].includes(name.slice(PREFIX.length)));
  return { ...configOf(data as Values, settings, unknown.toSorted()), ofParts: textsOf(ofParts as object) };
}

/** The settings of a part, of which `parseConfig` has accepted the texts. */
export function settingsIn<S extends z.ZodRawShape>(
  shape: S,
  { ofParts }: Pick<Config, 'ofParts'>,
): z.output<z.ZodObject<S>> {
  return z.object(shape).parse(ofParts);
}

function textOf(settings: Settings, name: string): string | undefined {
  return settings[name]?.trim() || undefined;
}

function describeIssue(
  { path: [key], message }: z.core.$ZodIssue,
  shape: z.ZodRawShape,
  texts: Settings,
): string {
  const name = String(key);
  const isSecret = (shape[name] as z.ZodType).meta()?.secret === true;
  return `${PREFIX}${name} ${message}${isSecret ? '' : ` (given: "${texts[name]?.slice(0, 100)}")`}`;
}

function pairFaults({ C2PA_CERT_FILE: certificate, C2PA_KEY_FILE: key }: Settings): string[] {
  if ((certificate === undefined) === (key === undefined)) return [];
  const [given, missing] = certificate === undefined ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
  return [`${PREFIX}C2PA_${given}_FILE requires ${PREFIX}C2PA_${missing}_FILE too`];
}

const s3EndpointName = (settings: Settings) =>
  textOf(settings, 'AWS_ENDPOINT_URL_S3') === undefined ? 'AWS_ENDPOINT_URL' : 'AWS_ENDPOINT_URL_S3';

/** Requests to the endpoint are signed with the keys. Only checked where a bucket is used: other programs use the variable, too. */
function endpointFaults(settings: Settings): string[] {
  const name = s3EndpointName(settings);
  const endpoint = textOf(settings, name);
  const isUsed = ['BLOBS', 'PUBLISH_TO'].some((place) =>
    textOf(settings, PREFIX + place)?.startsWith('s3://'),
  );
  if (endpoint === undefined || !isUsed) return [];
  const address = URL.parse(endpoint);
  const fault = address === null ? 'must be an absolute URL' : secretAddressFault(address);
  return fault === undefined ? [] : [`${name} ${fault}`];
}

function configOf(values: Values, settings: Settings, unknown: readonly string[]) {
  const { C2PA_CERT_FILE: certFile, C2PA_KEY_FILE: keyFile } = values;
  return {
    port: values.PORT,
    host: values.HOST,
    processes: values.PROCESSES,
    /** Milliseconds. */
    shutdownDelay: values.SHUTDOWN_DELAY_SECONDS * 1000,
    /** Without a slash at the end, as all addresses of the service's own. */
    baseUrl: values.BASE_URL,
    formerBaseUrls: values.FORMER_BASE_URLS,
    mcpUrl: values.MCP_URL,
    namespaceUrl: values.NAMESPACE_URL,
    trustProxy: values.TRUST_PROXY,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS ?? Math.max(10, 5 * values.PROCESSES),
    changesBy: values.CHANGES,
    locksBy: values.LOCKS,
    masterKeyFile: values.MASTER_KEY_FILE,
    sealRowsOn: values.SEAL_ROWS,
    operatorKey: values.OPERATOR_KEY,
    signingRotateDays: values.SIGNING_ROTATE_DAYS,
    certificateCacheBytes: values.CERTIFICATE_CACHE_MB * 1024 * 1024,
    staleSeconds: values.STALE_SECONDS,
    certificatesAhead: values.CERTIFICATES_AHEAD,
    /** Names of parts. */
    without: values.WITHOUT,
    logLevel: values.LOG_LEVEL,
    tracingModule: values.TRACING_MODULE,
    signRequests: values.SIGN_REQUESTS,
    pageCacheSeconds: values.PAGE_CACHE_SECONDS,
    pageChecks: {
      bytesPerCaller: values.PAGE_CHECK_MB_PER_CALLER * 1_000_000,
      bytesInAll: values.PAGE_CHECK_MB * 1_000_000,
    },
    readThreads: values.READ_THREADS,
    requireVerifiedDomain: values.REQUIRE_VERIFIED_DOMAIN,
    fetch: {
      connectTo: values.FETCH_CONNECT_TO,
      caFile: values.FETCH_CA_FILE,
      ports: values.FETCH_PORTS,
      /** Fetches in any 60 s. */
      perCaller: values.FETCH_PER_CALLER,
      perHost: values.FETCH_PER_HOST,
      total: values.FETCH_TOTAL,
      concurrent: values.FETCH_CONCURRENT,
    },
    images: {
      concurrent: values.IMAGE_CONCURRENT,
      perHost: values.IMAGE_PER_HOST,
      spacing: values.IMAGE_SPACING_MS,
      threads: values.IMAGE_PROCESSES,
      attempts: values.IMAGE_ATTEMPTS,
      retryDelay: values.IMAGE_RETRY_SECONDS,
      recheck: values.IMAGE_RECHECK_HOURS * 3_600,
      blobs: blobsOf(values, settings),
      /** The operator chose the place. */
      blobsNamed: values.BLOBS !== undefined,
      signer: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      trustFiles: {
        signers: values.C2PA_TRUST_FILE,
        legacy: values.C2PA_LEGACY_TRUST_FILE,
        time_stamps: values.C2PA_TSA_TRUST_FILE,
        identities: values.CAWG_TRUST_FILE,
      },
      timeStampUrl: values.C2PA_TSA_URL,
    },
    s3: s3Access(settings),
    productLimits: { perMerchant: values.PRODUCTS_PER_MERCHANT, perStore: values.PRODUCTS_PER_STORE },
    /** Settings that were given and mean nothing, for one warning at start. */
    unknown,
  };
}

function blobsOf({ BLOBS: place, DATA_DIR: dataDir }: Values, settings: Settings): BlobPlace {
  if (place === undefined) return { folder: join(dataDir, 'blobs') };
  return 'folder' in place ? place : { ...place, ...s3Access(settings) };
}

/** Reads keys and endpoint of a bucket from the usual AWS variables; the S3 client library determines what is absent. */
function s3Access(settings: Settings): Omit<S3Place, 'bucket' | 'prefix'> {
  const accessKeyId = textOf(settings, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = textOf(settings, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = textOf(settings, 'AWS_SESSION_TOKEN');
  return {
    region: textOf(settings, 'AWS_REGION'),
    endpoint: textOf(settings, s3EndpointName(settings)),
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  };
}

/** The path of the master key; `named`: the operator has set it. */
export function masterKeyPlace({ masterKeyFile, dataDir }: Pick<Config, 'masterKeyFile' | 'dataDir'>): {
  readonly path: string;
  readonly named: boolean;
} {
  return { path: masterKeyFile ?? join(dataDir, 'master.key'), named: masterKeyFile !== undefined };
}
