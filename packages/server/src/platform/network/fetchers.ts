import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { VERSION } from '@touchstone/certificate';
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
} from '@touchstone/fetch';
import { MAX_BYTES } from '@touchstone/image';
import { StartError } from '../lifecycle/start-error.ts';
import type { FetchConfig } from '../settings/config.ts';
import type { Tracing } from '../tracing/tracing.ts';

export interface Fetchers {
  /** HTML pages. */
  readonly pages: PageFetcher;
  /** Short texts of any type: challenge files. */
  readonly texts: PageFetcher;
  readonly images: BytesFetcher;
  /** Catalogues of shops: APIs of their platforms, feeds, sitemaps. */
  readonly catalogues: BytesFetcher;
  /** HTTP APIs, such as Shopify's Admin API. Redirects are not followed. */
  readonly api: ApiClient;
  /** Exports of such APIs, of any size, read as a stream. */
  readonly exports: StreamFetcher;
  /** Webhook endpoints of merchants. */
  readonly endpoints: ApiClient;
}

/** Bytes of a challenge file, or of a home page with the challenge in its head. */
const TEXT_SIZE = 1_000_000;

/** Bytes and milliseconds of one answer of an HTTP API. */
const API_SIZE = 20_000_000;
const API_TIME = 15_000;
/** Bytes of the answer of a webhook endpoint, which is not used. */
const ENDPOINT_SIZE = 1_000_000;

/** Limits of an export: a million products have 2 GB. Its download waits while a part is being processed. */
const EXPORT = { bodySize: 20_000_000_000, totalTime: 12 * 3_600_000, graceTime: 60_000, minimumRate: 100 };

/** Bytes of one answer of a shop's platform, or of a feed; larger ones are imported as files. */
const CATALOGUE_SIZE = 64_000_000;
/** Milliseconds for one such answer. */
const CATALOGUE_TIME = 120_000;
const CATALOGUE_TYPES = 'application/json,application/xml,text/*;q=0.9,*/*;q=0.5';

/** Milliseconds for downloading one image. */
const IMAGE_TIME = 30_000;

/** Replacements for the network in tests. */
export interface NetworkOverrides {
  readonly resolver?: Resolver;
  readonly dialer?: Dialer;
  /** Called for every address to which a connection is opened. */
  readonly onDial?: OnDial;
}

/** The fetchers for all purposes, with the same SSRF guard. */
export async function openFetchers(
  config: Pick<FetchConfig, 'caFile' | 'connectTo' | 'ports'>,
  { resolver, dialer, onDial }: NetworkOverrides,
  {
    baseUrl,
    sign,
    tracing,
  }: { readonly baseUrl: string; readonly sign?: SignRequest; readonly tracing?: Tracing | undefined },
): Promise<Fetchers> {
  const ca = await readAuthorities(config.caFile);
  const common = {
    userAgent: `Touchstone/${VERSION} (+${baseUrl})`,
    connectTo: config.connectTo,
    ports: config.ports,
    ca,
    resolver,
    dialer,
    onDial,
    sign,
  };
  return {
    pages: traced(createPageFetcher(common), tracing),
    texts: createPageFetcher({ ...common, content: 'any', limits: { bodySize: TEXT_SIZE } }),
    catalogues: traced(
      createBytesFetcher({
        ...common,
        accept: CATALOGUE_TYPES,
        limits: { bodySize: CATALOGUE_SIZE, totalTime: CATALOGUE_TIME },
      }),
      tracing,
    ),
    images: traced(
      createBytesFetcher({ ...common, limits: { bodySize: MAX_BYTES, totalTime: IMAGE_TIME } }),
      tracing,
    ),
    api: createApiClient({ ...common, limits: { bodySize: API_SIZE, totalTime: API_TIME } }),
    exports: createStreamFetcher({ ...common, limits: EXPORT }),
    endpoints: createApiClient({ ...common, limits: { bodySize: ENDPOINT_SIZE, totalTime: API_TIME } }),
  };
}

/** With a span for each fetch. Hosts receive no trace headers: they are strangers. */
function traced<F extends PageFetcher | BytesFetcher>(fetcher: F, tracing: Tracing | undefined): F {
  if (tracing === undefined) return fetcher;
  const fetch: BytesFetcher['fetch'] = (url, options) =>
    tracing.inSpan(
      {
        name: 'fetch',
        kind: 'CLIENT',
        attributes: { 'server.address': URL.parse(url)?.hostname ?? '' },
        attributesOf: (result) =>
          result.kind === 'failed'
            ? { 'error.type': result.code }
            : { 'touchstone.fetch.result': result.kind },
      },
      () => (fetcher as BytesFetcher).fetch(url, options),
    );
  return { fetch } as F;
}

/** Checked here, since TLS ignores anything that is not a certificate, and would then refuse every host of that authority. */
export async function readAuthorities(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    const ca = await readFile(file, 'utf8');
    const blocks = ca.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [''];
    for (const block of blocks) new X509Certificate(block);
    return ca;
  } catch (error) {
    const setting = `TOUCHSTONE_FETCH_CA_FILE (${file})`;
    throw new StartError(`${setting} cannot be used as PEM certificates: ${String(error)}`, { cause: error });
  }
}
