import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pictures } from './pictures.ts';
import { PRODUCTS, type Scene } from './scenes.ts';
import { passwordPage, productPage, shelfPage, shopFront } from './shop-pages.ts';

/** `*.localhost` leads to this machine in browsers and curl, so the demo's addresses can be opened (RFC 6761). */
const HOSTS = { shop: 'shop.localhost', copycat: 'copycat.localhost', shelf: 'shelf.localhost' } as const;

type HostName = keyof typeof HOSTS;

/** The demo shop, one that copies from it, and a shelf where whoever tries the API can put up a page. */
export interface DemoShop {
  readonly port: number;
  readonly hostnames: readonly string[];
  origin(host: HostName): string;
  /** Shows what control of the shop's host is proven with. */
  showChallenge(challenge: string): void;
  /** Puts up the page of a scene, carrying this certificate. */
  publish(scene: Scene, certificate: unknown): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

const HTML = 'text/html; charset=utf-8';
const NOT_FOUND: Answer = { status: 404, type: HTML, body: '<!doctype html><title>Not found</title>' };

/** Starts all three on one port of this machine (0: any free one). */
export async function startDemoShop(port: number, pictures: Pictures): Promise<DemoShop> {
  const published = new Map<string, Answer>();
  let challenge = '';
  const origin = (host: HostName) => `http://${HOSTS[host]}:${(server.address() as AddressInfo).port}`;

  const server = createServer(async (request, response) => {
    if (request.method === 'PUT' && hostOf(request) === HOSTS.shelf) {
      published.set(HOSTS.shelf + pathOf(request), await pageOnShelf(request));
      return send(response, { status: 201, type: 'text/plain', body: 'The page is up.\n' });
    }
    send(response, answerTo(request, { published, challenge, pictures }));
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
    publish: (scene, certificate) => {
      published.set(
        `${HOSTS[scene.host]}/products/${scene.handle}`,
        pageOf(scene, origin(scene.host), certificate),
      );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pageOf(scene: Scene, origin: string, certificate: unknown): Answer {
  const product = PRODUCTS.find(({ handle }) => handle === scene.handle);
  if (product === undefined || scene.answers === 'not_found') return NOT_FOUND;
  const body = scene.answers === 'password' ? passwordPage() : productPage({ product, origin, certificate });
  return { status: 200, type: HTML, body };
}

interface Shown {
  readonly published: ReadonlyMap<string, Answer>;
  readonly challenge: string;
  readonly pictures: Pictures;
}

function answerTo(request: IncomingMessage, { published, challenge, pictures }: Shown): Answer {
  const host = hostOf(request);
  const path = pathOf(request);
  if (path === '/.well-known/touchstone-challenge' && host === HOSTS.shop) {
    return { status: 200, type: 'text/plain', body: challenge };
  }
  if (path === '/') return { status: 200, type: HTML, body: shopFront(PRODUCTS) };
  const file = /^\/pictures\/([a-z]+-\d\.png)$/.exec(path)?.[1];
  if (file !== undefined) return { status: 200, type: 'image/png', body: pictures(file) };
  return published.get(host + path) ?? NOT_FOUND;
}

/** The page that carries whatever JSON was sent. */
async function pageOnShelf(request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { status: 200, type: HTML, body: shelfPage(Buffer.concat(chunks).toString()) };
}

function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '');
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/, '');
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}
