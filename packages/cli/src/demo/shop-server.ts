import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pictures } from './pictures.ts';
import { type DemoProduct, PRODUCTS } from './products.ts';
import type { Scene } from './scenes.ts';
import {
  notFoundPage,
  type PageContent,
  passwordPage,
  pictureNames,
  productPage,
  shelfPage,
  shopFront,
  shopPolicy,
} from './shop-pages.ts';
import { SHOP_STYLE } from './shop-style.ts';

/** Browsers and curl resolve `*.localhost` to this machine, so the demo's addresses can be opened (RFC 6761). */
const HOSTS = { shop: 'shop.localhost', copycat: 'copycat.localhost', shelf: 'shelf.localhost' } as const;

type HostName = keyof typeof HOSTS;

/** The demo shop, a shop that copies from it, and a shelf on which users of the API can publish a page. */
export interface DemoShop {
  readonly port: number;
  readonly hostnames: readonly string[];
  origin(host: HostName): string;
  /** Serves the challenge that proves control of the shop's host. */
  showChallenge(challenge: string): void;
  /** Adds this service's badge to all pages. */
  wearBadge(service: string): void;
  /** Publishes the page of a scene with this certificate. */
  publish(scene: ShopPage, certificate: unknown): void;
  close(): Promise<void>;
}

/** Which host serves which product, and how. */
type ShopPage = Pick<Scene, 'handle' | 'host' | 'answers'>;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** A published page, and its entry on the front page of its host. */
interface Published extends Answer {
  /** The product that the front page links to. */
  readonly product?: DemoProduct;
  readonly certificate?: unknown;
}

/** What a page sells in place of its product, whose certificate it keeps. */
const OTHER_GOODS = { name: 'Rolex Submariner, 18k gold', price: '9999.00' };
const HTML = 'text/html; charset=utf-8';
const NOT_FOUND: Answer = { status: 404, type: HTML, body: notFoundPage() };
const PICTURES: ReadonlySet<string> = new Set(PRODUCTS.flatMap(pictureNames));

/** Starts all three on one port of this machine (0: any free one). */
export async function startDemoShop(port: number, pictures: Pictures): Promise<DemoShop> {
  const published = new Map<string, Published>();
  let challenge = '';
  let service = '';
  const origin = (host: HostName) => `http://${HOSTS[host]}:${(server.address() as AddressInfo).port}`;

  const server = createServer(async (request, response) => {
    if (request.method === 'PUT' && hostOf(request) === HOSTS.shelf) {
      published.set(HOSTS.shelf + pathOf(request), await pageOnShelf(request, service));
      return send(response, { status: 201, type: 'text/plain', body: 'The page is up.\n' }, service);
    }
    send(response, answerTo(request, { published, challenge, pictures, service }), service);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    hostnames: Object.values(HOSTS),
    origin,
    showChallenge: (text) => {
      challenge = text;
    },
    wearBadge: (address) => {
      service = address;
    },
    publish: (page, certificate) => {
      published.set(
        `${HOSTS[page.host]}/products/${page.handle}`,
        pageOf(page, { origin: origin(page.host), certificate, service }),
      );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pageOf({ handle, answers }: ShopPage, content: Omit<PageContent, 'product'>): Published {
  const product = PRODUCTS.find((one) => one.handle === handle);
  if (product === undefined || answers === 'not_found') return NOT_FOUND;
  if (answers === 'password') return { status: 200, type: HTML, body: passwordPage() };
  const sells = answers === 'other_goods' ? OTHER_GOODS : product;
  const body = productPage({ product, sells, ...content });
  return { status: 200, type: HTML, body, product, certificate: content.certificate };
}

interface Shown {
  readonly published: ReadonlyMap<string, Published>;
  readonly challenge: string;
  readonly pictures: Pictures;
  readonly service: string;
}

function answerTo(request: IncomingMessage, { published, challenge, pictures, service }: Shown): Answer {
  const host = hostOf(request);
  const path = pathOf(request);
  if (path === '/.well-known/touchstone-challenge' && host === HOSTS.shop) {
    return { status: 200, type: 'text/plain', body: challenge };
  }
  if (path === '/') return frontOf(host, published, service);
  if (path === '/shop.css') return { status: 200, type: 'text/css; charset=utf-8', body: SHOP_STYLE };
  const file = path.replace('/pictures/', '');
  if (PICTURES.has(file)) return { status: 200, type: 'image/jpeg', body: pictures(file) };
  return published.get(host + path) ?? NOT_FOUND;
}

function frontOf(host: string, published: Shown['published'], service: string): Answer {
  const pages = PRODUCTS.map(({ handle }) => published.get(`${host}/products/${handle}`));
  const products = pages.flatMap((page) => page?.product ?? []);
  const certificates = pages.flatMap((page) => page?.certificate ?? []);
  return { status: 200, type: HTML, body: shopFront({ products, certificates, service }) };
}

/** A page that carries the JSON of the request. */
async function pageOnShelf(request: IncomingMessage, service: string): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [word = ''] = pathOf(request).match(/[\w-]+$/) ?? [];
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  return { status: 200, type: HTML, body: shelfPage(Buffer.concat(chunks).toString(), name, service) };
}

function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '');
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/, '');
}

function send(response: ServerResponse, { status, type, body }: Answer, service: string): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'content-security-policy': shopPolicy(service),
    })
    .end(body);
}
