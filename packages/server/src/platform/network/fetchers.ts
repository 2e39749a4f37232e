import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { VERSION } from '@touchstone/certificate';
import { MAX_BYTES } from '@touchstone/image';
import {
  type ApiClient,
  type BytesFetcher,
  createApiClient,
  createBytesFetcher,
  createPageFetcher,
  createStreamFetcher,
  type Dialer,
  type OnDial,
  type PageFetcher,
  type Resolver,
  type SignRequest,
  type StreamFetcher,
} from '@touchstone/page/fetch';
import { StartError } from '../lifecycle/start-error.ts';
import type { FetchConfig } from '../settings/config.ts';

export interface Fetchers {
  /** HTML pages. */
  readonly pages: PageFetcher;
  /** Small texts of any type: challenge files. */
  readonly texts: PageFetcher;
  readonly images: BytesFetcher;
  /** Catalogues of shops: answers of their platforms, feeds, sitemaps. */
  readonly catalogues: BytesFetcher;
  /** HTTP interfaces: the administration of shops. Redirects are not followed. */
  readonly api: ApiClient;
  /** Files of any size that such an interface has made, read as they come. */
  readonly exports: StreamFetcher;
  /** Endpoints of merchants that are told of events. */
  readonly endpoints: ApiClient;
}

/** Bytes of a challenge file, or of a home page with the challenge in its head. */
const TEXT_SIZE = 1_000_000;

/** Bytes of an answer of an HTTP interface, and the milliseconds that it may take. */
const API_SIZE = 20_000_000;
const API_TIME = 15_000;
/** Bytes of what an endpoint answers: nobody reads them. */
const ENDPOINT_SIZE = 1_000_000;

/** Of an export: a million products are 2 GB. Its host waits while a part is worked on. */
const EXPORT = { bodySize: 20_000_000_000, totalTime: 12 * 3_600_000, graceTime: 60_000, minimumRate: 100 };

/** Bytes of one answer of a shop's platform, or of a feed; larger ones are imported as files. */
const CATALOGUE_SIZE = 64_000_000;
/** Milliseconds that one may take. */
const CATALOGUE_TIME = 120_000;
const CATALOGUE_TYPES = 'application/json,application/xml,text/*;q=0.9,*/*;q=0.5';

/** Milliseconds that the bytes of one image may take. */
const IMAGE_TIME = 30_000;

/** What tests put in the place of the network. */
export interface NetworkOverrides {
  readonly resolver?: Resolver;
  readonly dialer?: Dialer;
  /** Told of every address that is dialled. */
  readonly onDial?: OnDial;
}

/** The ways into the network, with the same guard. */
export async function openFetchers(
  config: Pick<FetchConfig, 'caFile' | 'connectTo' | 'ports'>,
  { resolver, dialer, onDial }: NetworkOverrides,
  { baseUrl, sign }: { readonly baseUrl: string; readonly sign?: SignRequest },
): Promise<Fetchers> {
  const ca = await readAuthorities(config.caFile);
  const common = {
    userAgent: `Touchstone/${VERSION} (+${baseUrl})`,
    connectTo: config.connectTo,
    ports: config.ports,
    ...(ca === undefined ? {} : { ca }),
    ...(resolver === undefined ? {} : { resolver }),
    ...(dialer === undefined ? {} : { dialer }),
    ...(onDial === undefined ? {} : { onDial }),
    ...(sign === undefined ? {} : { sign }),
  };
  return {
    pages: createPageFetcher(common),
    texts: createPageFetcher({ ...common, content: 'any', limits: { bodySize: TEXT_SIZE } }),
    catalogues: createBytesFetcher({
      ...common,
      accept: CATALOGUE_TYPES,
      limits: { bodySize: CATALOGUE_SIZE, totalTime: CATALOGUE_TIME },
    }),
    images: createBytesFetcher({ ...common, limits: { bodySize: MAX_BYTES, totalTime: IMAGE_TIME } }),
    api: createApiClient({ ...common, limits: { bodySize: API_SIZE, totalTime: API_TIME } }),
    exports: createStreamFetcher({ ...common, limits: EXPORT }),
    endpoints: createApiClient({ ...common, limits: { bodySize: ENDPOINT_SIZE, totalTime: API_TIME } }),
  };
}

/** Looked at here: TLS passes over what is no certificate, and every host behind such an authority would be refused. */
async function readAuthorities(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const ca = await readFile(file, 'utf8');
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [''];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch (error) {
    const setting = `TOUCHSTONE_FETCH_CA_FILE (${file})`;
    throw new StartError(`${setting} cannot be used as PEM certificates: ${String(error)}`, { cause: error });
  }
  return ca;
}
