import type { IncomingMessage, ServerResponse } from 'node:http';
import { httpServer } from './servers.ts';

export type ShopAnswer = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A shop on loopback that responds for all hosts that are mapped to it. */
export interface Shop {
  readonly port: number;
  /** Requests so far, as `host/path`. */
  readonly asked: readonly string[];
  /** Serves a page, or another response, at an address such as `http://shop.example/products/kettle`. */
  put(url: string, answer: ShopAnswer): void;
  /** Shows the proof of control on a host. */
  showChallenge(host: string, challenge: string): void;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const answers = new Map<string, ShopAnswer>();
  const asked: string[] = [];
  const { port, close } = await httpServer((request, response) => {
    const at = `${request.headers.host?.toLowerCase()}${request.url}`;
    asked.push(at);
    respond(answers.get(at), request, response);
  });
  return {
    port,
    asked,
    put: (url, answer) => void answers.set(keyOf(url), answer),
    showChallenge: (host, challenge) =>
      void answers.set(`${host}/.well-known/touchstone-challenge`, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge);
      }),
    close,
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
