import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFacts } from '@touchstone/facts';
import { readPage } from '@touchstone/page/read';
import { type RunningService, readConfig, startService } from '@touchstone/server';
import type { PageCase } from '../../../bench/pages/facts/corpus.ts';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../../kit/registry.ts';
import { titleOf } from './certified-html.ts';
import { openSites, type Sites } from './sites.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A page with the certificates issued for its product. */
export interface CertifiedPage {
  readonly id: string;
  readonly url: string;
  readonly html: Uint8Array;
  /** The certificate as served today. */
  readonly now: Json;
  /** The certificate as served eight days ago. */
  readonly before: Json;
}

/** The real service, real pages under their real host names, and a clock that was set back temporarily. */
export interface CertifiedShops {
  readonly service: RunningService;
  readonly sites: Sites;
  /** File of the authority of the hosts' TLS certificates. */
  readonly authorityFile: string;
  readonly pages: readonly CertifiedPage[];
  close(): Promise<void>;
}

const EIGHT_DAYS = 8 * 86_400_000;
/** Maximum images of a page in its catalogue row. */
const IMAGES = 10;

/** A host that serves copied content: the same name under another domain. */
export function copyingHost(url: string): string {
  return `${new URL(url).host}.copycat.example`;
}

/**
 * Creates a store with its own merchant for every host, proves its domain, sends its products, and fetches every certificate as of eight
 * days ago and as of now. Uses only the public HTTP interface.
 */
export async function openCertifiedShops(cases: readonly PageCase[]): Promise<CertifiedShops> {
  const hosts = [...new Set(cases.flatMap(({ url }) => [new URL(url).host, copyingHost(url)]))];
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-pages-'));
  const sites = await openSites(hosts);
  let service: RunningService | undefined;
  const close = async () => {
    await service?.close();
    await sites.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const authorityFile = join(folder, 'authority.pem');
    await writeFile(authorityFile, sites.authority);
    const config = readConfig(settings(join(folder, 'data'), sites, authorityFile));
    let back = EIGHT_DAYS;
    const started = await startService(config, { clock: () => new Date(Date.now() - back), durable: false });
    service = started;
    const stores = [...Map.groupBy(cases, ({ url }) => new URL(url).host).values()];
    const ids = new Map((await Promise.all(stores.map((own) => register(started, sites, own)))).flat());
    const before = await certificates(started, ids);
    back = 0;
    const now = await certificates(started, ids);
    const pages = cases.map(({ id, url, html }) => ({
      id,
      url,
      html: html(),
      now: found(now, id),
      before: found(before, id),
    }));
    return { service: started, sites, authorityFile, pages, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settings(dataDir: string, sites: Sites, authorityFile: string): Record<string, string> {
  return {
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: dataDir,
    TOUCHSTONE_LOG_LEVEL: 'warn',
    TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    TOUCHSTONE_FETCH_CONNECT_TO: sites.connectTo,
    TOUCHSTONE_FETCH_CA_FILE: authorityFile,
    ...UNLIMITED_FETCHES,
  };
}

/** @returns the service's id of each product, by the page's name in the corpus */
async function register(
  service: RunningService,
  sites: Sites,
  cases: readonly PageCase[],
): Promise<[string, string][]> {
  const { id } = await openStore(service, new URL(cases[0]?.url ?? '').origin, {
    planCapacity: cases.length,
    shop: sites,
  });
  const ids = await putProducts(service, id, cases.map(catalogueRow));
  return cases.map((page, nth) => [page.id, ids[nth] ?? '']);
}

function catalogueRow({ id, url, html, truth: { sku, brand } }: PageCase): Json {
  const bytes = html();
  const { images, name } = readPage(bytes, { url }, readFacts).facts;
  return {
    externalProductId: id,
    url,
    // a catalogue names the product, where a title also names the shop
    name: (name?.value ?? titleOf(bytes)).slice(0, 500),
    ...(sku?.[0] === undefined ? {} : { sku: sku[0] }),
    ...(brand?.[0] === undefined ? {} : { brand: brand[0] }),
    images: images.slice(0, IMAGES).map(({ value }) => ({ url: value })),
  };
}

async function certificates(
  service: RunningService,
  ids: ReadonlyMap<string, string>,
): Promise<Map<string, Json>> {
  const fetched = new Map<string, Json>();
  for (const [page, id] of ids) {
    fetched.set(page, await operate<Json>(service, 'GET', `/api/v1/mc4p/products/${id}/certificate`));
  }
  return fetched;
}

function found(all: ReadonlyMap<string, Json>, page: string): Json {
  const certificate = all.get(page);
  if (certificate?.proof === undefined) throw new Error(`no full certificate for ${page}`);
  return certificate;
}
