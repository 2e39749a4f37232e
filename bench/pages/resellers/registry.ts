import { setTimeout as delay } from 'node:timers/promises';
import type { PageReport, PictureMatches } from '@touchstone/contract';
import { openStore, operate, putProducts } from '../../../test/kit/registry.ts';
import type { Shop } from '../../../test/kit/shop.ts';
import { pictureUrls } from './network.ts';
import type { Offer } from './offers.ts';
import type { ShopPictures } from './pictures.ts';

export interface Service {
  readonly url: string;
  readonly operatorKey: string;
}

const AT_ONCE = 100;

/** A merchant who has proven the host, and of whose catalogue all pictures are certified. @returns the store */
export async function certify(
  service: Service,
  shop: Shop,
  catalogue: readonly Offer[],
  pictures: ShopPictures,
): Promise<string> {
  const host = catalogue[0]?.host ?? '';
  const { id } = await openStore(service, `http://${host}/`, { shop, signImages: true });
  for (let from = 0; from < catalogue.length; from += AT_ONCE)
    await putProducts(
      service,
      id,
      catalogue.slice(from, from + AT_ONCE).map((offer) => ({
        externalProductId: offer.url,
        url: offer.url,
        name: offer.name,
        ...(offer.gtin === undefined ? {} : { gtin: offer.gtin }),
        images: pictureUrls(offer, pictures).map((url) => ({ url })),
      })),
    );
  for (;;) {
    const { waiting } = await operate<{ waiting: number }>(service, 'GET', `/stores/${id}/images/progress`);
    if (waiting === 0) return id;
    await delay(2_000);
  }
}

/** What a stranger is told about a page. */
export interface Told {
  readonly report: PageReport;
  readonly pictures: PictureMatches;
}

export async function ask(service: Service, url: string): Promise<Told> {
  const report = await answered<PageReport>(service, '/api/v1/mc4p/page-checks', { url });
  return { report, pictures: await askAgain(service, report) };
}

/** What is told now about the pictures of a page that has been checked. */
export async function askAgain(service: Service, { id, url }: PageReport): Promise<PictureMatches> {
  const path = `/api/v1/mc4p/page-checks/${id}/pictures?wait=20`;
  for (let patience = 6; patience > 0; patience -= 1) {
    const pictures = await answered<PictureMatches>(service, path);
    if (pictures.state === 'done') return pictures;
  }
  throw new Error(`The pictures of ${url} were not read.`);
}

/** What an agent is told: our own text, without quotations from the page. */
export async function askTool(service: Service, url: string): Promise<string> {
  const params = { name: 'check_product_page', arguments: { url, images: 'match' } };
  const said = await answered<{ result?: { content?: { text?: string }[] } }>(service, '/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  });
  const text = said.result?.content?.[0]?.text;
  if (text === undefined) throw new Error(`The tool says nothing of ${url}: ${JSON.stringify(said)}`);
  return text;
}

async function answered<T>(service: Service, path: string, body?: unknown, tries = 10): Promise<T> {
  const response = await fetch(service.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(path === '/mcp' ? { 'mcp-protocol-version': '2025-11-25' } : {}),
    },
  });
  const text = await response.text();
  if (response.status === 503 && tries > 1) {
    // the machine is busy
    await delay(1_000 * Number(response.headers.get('retry-after') ?? 1));
    return answered<T>(service, path, body, tries - 1);
  }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
