import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROOF_LIFETIME } from '@touchstone/certificate';
import { certificateScript } from '@touchstone/certificate/embed';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { memoryCache, withCertificate } from '../../../packages/edge/src/index.ts';
import type { Item } from '../../kit/assortment.ts';
import { type Catalogue, pageOf } from './catalogue.ts';
import { BASE_URL, type Json, type World } from './world.ts';

/** A shop with its way of publishing certificates. */
export interface Shop {
  readonly name: string;
  readonly catalogue: Catalogue;
  /** Minutes after its withdrawal, while the service answers, for which a page may contain a certificate. */
  readonly interval: number;
  /** The shop's periodic work, every six hours; in the hour after a withdrawal also whenever it is due. */
  run(storeId: string): Promise<void>;
  /** The shop's owner rebuilds it, at night. */
  build(): Promise<void>;
  page(path: string): Promise<string | null>;
  counts(): Readonly<Record<string, number>>;
}

/** Pages are served through the edge handler; nothing is scheduled. */
export function edgeShop(world: World, catalogue: Catalogue): Shop {
  const { host } = catalogue;
  const works: Promise<unknown>[] = [];
  let asked = 0;
  const handler = withCertificate({
    service: BASE_URL,
    match: /^\/products\//,
    nodeId: ({ href }) => `${href}#product`,
    cache: memoryCache(),
    now: () => world.now().getTime(),
    patience: 60_000,
    fetch: (url, init) => {
      asked += 1;
      return world.fetch(url, init);
    },
    origin: (request) => {
      const item = catalogue.at(new URL(request.url).pathname);
      const page = item === undefined ? null : pageOf(host, item);
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      return new Response(page ?? 'Not here', { status: page === null ? 404 : 200, headers });
    },
  });
  return {
    name: 'edge',
    catalogue,
    interval: 15,
    // the service's own job renews certificates every hour; reading the stream does the same in the same batches
    run: async (storeId) => {
      if (world.isUp()) await world.operate('GET', `/stores/${storeId}/certificates/progress`);
      if (world.isUp()) await linesOf(world, storeId, undefined);
    },
    build: async () => {},
    async page(path) {
      const waitUntil = (work: Promise<unknown>) => void works.push(work);
      const response = await handler(new Request(`http://${host}${path}`), undefined, { waitUntil });
      const text = await response.text();
      await Promise.all(works.splice(0));
      return response.ok ? text : null;
    },
    counts: () => ({ questions: asked }),
  };
}

/** Files of a built site, updated by the command as cron runs it. */
export function staticShop(world: World, catalogue: Catalogue, folder: string): Shop {
  const { host } = catalogue;
  const site = join(folder, 'site');
  const certificates = join(folder, 'certificates');
  const counts = { pulls: 0, failedPulls: 0, pagesWritten: 0 };
  const fileOf = (path: string) => join(site, `${path.slice(1)}.html`);
  return {
    name: 'static',
    catalogue,
    interval: 360,
    async build() {
      await rm(site, { recursive: true, force: true });
      for (const item of catalogue.items()) {
        await mkdir(dirname(fileOf(item.path)), { recursive: true });
        await writeFile(fileOf(item.path), pageOf(host, item));
      }
    },
    async run(storeId) {
      const pulled = await runCli(
        ['certificates', 'pull', storeId, '--out', certificates],
        world.commandLine(),
      );
      counts[pulled.code === 0 ? 'pulls' : 'failedPulls'] += 1;
      if (pulled.code !== 0 && world.isUp()) throw new Error(pulled.err);
      // with the existing certificates if the service is unavailable: the build may have recreated the pages
      const command = [
        'embed',
        site,
        '--certificates',
        certificates,
        '--base-url',
        `http://${host}`,
        '--json',
      ];
      const embedded = await runCli([...command, '--node-id', '{url}#product'], world.commandLine());
      const told = embedded.json();
      if (embedded.code !== 0) throw new Error(`${embedded.err} ${JSON.stringify(told.problems)}`);
      counts.pagesWritten += (told.written as string[]).length;
    },
    page: (path) => readFile(fileOf(path), 'utf8').catch(() => null),
    counts: () => counts,
  };
}

/**
 * Works like the WooCommerce plugin: follows the stream every hour, stores certificates with products, prints them after the shop's own
 * node, and purges the page cache.
 */
export function pluginShop(world: World, catalogue: Catalogue): Shop {
  const { host } = catalogue;
  const kept = new Map<string, Json>();
  const pageCache = new Map<string, { readonly item: Item; readonly page: string }>();
  const counts = { pulls: 0, failedPulls: 0, purges: 0 };
  let cursor: string | undefined;
  const endOf = (certificate: Json) =>
    Date.parse(String((certificate['svc:record'] as Json).issuedAt)) + PROOF_LIFETIME * 1000;
  const purge = (externalId: string) => {
    const item = catalogue.items().find((one) => one.externalId === externalId);
    if (item !== undefined && pageCache.delete(item.path)) counts.purges += 1;
  };
  const pull = async (storeId: string) => {
    for (const line of await linesOf(world, storeId, cursor)) {
      cursor = String(line.cursor);
      const externalId = String(line.externalProductId);
      if (line.status === 'current') kept.set(externalId, line.certificate as Json);
      else if (line.status === 'withdrawn') kept.delete(externalId);
      else continue;
      purge(externalId);
    }
  };
  return {
    name: 'plugin',
    catalogue,
    // a webhook would make it pull at once
    interval: 60,
    build: async () => {},
    async run(storeId) {
      try {
        await pull(storeId);
        counts.pulls += 1;
      } catch (error) {
        if (world.isUp()) throw error;
        counts.failedPulls += 1;
      }
    },
    async page(path) {
      const item = catalogue.at(path);
      if (item === undefined) return null;
      const cached = pageCache.get(path);
      // saving a product purges its page from every cache
      if (cached?.item === item) return cached.page;
      const certificate = kept.get(item.externalId);
      const url = `http://${host}${path}`;
      const isCurrent = certificate?.url === url && endOf(certificate) > world.now().getTime();
      const block = isCurrent ? certificateScript(certificate, { nodeId: `${url}#product` }) : '';
      const page = pageOf(host, item, block);
      pageCache.set(path, { item, page });
      return page;
    },
    counts: () => counts,
  };
}

/** The lines of a store's stream. */
async function linesOf(world: World, storeId: string, since: string | undefined): Promise<Json[]> {
  const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
  const { env } = world.commandLine();
  const response = await world.fetch(`${BASE_URL}/api/v1/registry/stores/${storeId}/certificates${query}`, {
    headers: { authorization: `Bearer ${env?.TOUCHSTONE_KEY}` },
  });
  if (!response.ok) throw new Error(`the stream answered ${response.status}`);
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Json);
}
