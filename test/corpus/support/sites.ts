import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { createTestAuthority } from '../../../packages/fetch/src/testing-certificates.ts';
import { closeServer, listen } from '../../kit/servers.ts';

const DAY = 86_400_000;
const CHALLENGE_PATH = '/.well-known/touchstone-challenge';

/** Many hosts on loopback, each under its own name with its own TLS certificate, and over plain HTTP. */
export interface Sites {
  /** The authority of all the TLS certificates; PEM. */
  readonly authority: string;
  /** Addresses of the hosts, in the format of FETCH_CONNECT_TO and `--connect-to`. */
  readonly connectTo: string;
  /** Serves this page at this address, and no other product page from then on. */
  serve(url: string, html: Uint8Array): void;
  /** Shows the proof of control on a host. */
  showChallenge(host: string, challenge: string): void;
  close(): Promise<void>;
}

/** Starts servers for these hosts on free ports. */
export async function openSites(hosts: readonly string[]): Promise<Sites> {
  const challenges = new Map<string, string>();
  let served: { readonly at: string; readonly html: Uint8Array } | undefined;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const host = (request.headers.host ?? '').toLowerCase();
    const challenge = request.url === CHALLENGE_PATH ? challenges.get(host) : undefined;
    const isServed = served?.at === host + request.url;
    if (challenge !== undefined) send(response, 200, 'text/plain', Buffer.from(challenge));
    else if (isServed && served !== undefined) send(response, 200, HTML, served.html);
    else send(response, 404, HTML, Buffer.from('<!doctype html><title>Not here</title>'));
  };

  const authority = createTestAuthority();
  const secure = createHttpsServer({ SNICallback: contexts(hosts, authority) }, answer);
  const plain = createHttpServer(answer);
  const [securePort, plainPort] = await Promise.all([listen(secure), listen(plain)]);
  return {
    authority: authority.certificate,
    connectTo: hosts
      .flatMap((host) => [`${host}:443=127.0.0.1:${securePort}`, `${host}:80=127.0.0.1:${plainPort}`])
      .join(','),
    serve: (url, html) => {
      served = { at: addressOf(url), html };
    },
    showChallenge: (host, challenge) => void challenges.set(host, challenge),
    close: async () => {
      await Promise.all([closeServer(secure), closeServer(plain)]);
    },
  };
}

/** The corpus stores every page as UTF-8, whatever the shop sent. */
const HTML = 'text/html; charset=utf-8';

function addressOf(text: string): string {
  const url = new URL(text);
  return url.host + url.pathname + url.search;
}

type SniCallback = (name: string, done: (error: Error | null, context?: SecureContext) => void) => void;

function contexts(hosts: readonly string[], authority: ReturnType<typeof createTestAuthority>): SniCallback {
  const made = new Map(
    hosts.map((host) => [host, createSecureContext(authority.issue(host, new Date(Date.now() + DAY)))]),
  );
  return (name, done) => {
    const context = made.get(name);
    if (context === undefined) done(new Error(`no such host: ${name}`));
    else done(null, context);
  };
}

function send(response: ServerResponse, status: number, type: string, body: Uint8Array): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
}
