import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, portOf } from '../kit/servers.ts';

export type ShopAnswer = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A shop on loopback that responds for all hosts that are mapped to it. */
export interface Shop {
  readonly port: number;
  /** Requests so far, as `host/path`. */
  readonly asked: readonly string[];
  /** Serves a page, or another response, at an address such as `http://shop.example/products/kettle`. */
  put(url: string, answer: ShopAnswer): void;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const answers = new Map<string, ShopAnswer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const at = `${request.headers.host?.toLowerCase()}${request.url}`;
    asked.push(at);
    respond(answers.get(at), request, response);
  });
  await listen(server);
  return {
    port: portOf(server),
    asked,
    put: (url, answer) => void answers.set(keyOf(url), answer),
    async close() {
      await closeServer(server);
    },
  };
}

function keyOf(text: string): string {
  const url = new URL(text);
  return `${url.host}${url.pathname}${url.search}`;
}

function respond(answer: ShopAnswer | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (typeof answer === 'function') {
    answer(request, response);
    return;
  }
  const status = answer === undefined ? 404 : 200;
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(answer ?? '<!doctype html><title>Not here</title>');
}

/** A product page with these JSON-LD nodes. */
export function productPage(...nodes: readonly unknown[]): string {
  const blocks = nodes.map((node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`);
  return `<!doctype html><html lang="en"><head><title>The kettle</title>${blocks.join('')}</head><body><main><h1>The kettle</h1></main></body></html>`;
}
