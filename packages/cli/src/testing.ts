import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { conclude, PAGE_VERDICTS, type PageVerdict } from '@touchstone/certificate';
import { CHECK_NAMES } from '@touchstone/certificate/verify';
import { NO_FACTS } from '@touchstone/page';
import { afterEach } from 'vitest';
import { listen } from '../../../test/kit/servers.ts';
import {
  appendTo,
  bytesOf,
  foldersBelow,
  isSameFile,
  namesIn,
  removeFile,
  replaceFile,
  writeWhole,
} from './files.ts';
import type { Io } from './io.ts';
import { printing } from './output/printing.ts';
import { run } from './program.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The JSON output; the last line of several. */
  json(): Record<string, unknown>;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  /** Keeps standard input open until this returns true for the standard output so far. */
  readonly keepStdinUntil?: (out: string) => boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: Date;
  readonly terminal?: boolean;
  /** Stops the command, as Ctrl-C does. */
  readonly stop?: AbortSignal;
  /** Records requested waits in milliseconds; none is carried out. */
  readonly waits?: number[];
}

/** For tests: runs a command line in this process, with real files and a real network. */
export async function runCli(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const written = { out: '', err: '' };
  const isTerminal = options.terminal === true;
  const output = (to: 'out' | 'err') =>
    printing({
      write: (text) => {
        written[to] += text;
      },
      isTerminal,
      columns: 80,
    });
  const io: Io = {
    stdout: output('out'),
    stderr: output('err'),
    stdin: stdinOf(options.stdin ?? '', () => options.keepStdinUntil?.(written.out) ?? true),
    env: options.env ?? {},
    fetch: globalThis.fetch,
    now: () => options.now ?? new Date(),
    sleep: async (milliseconds) => void options.waits?.push(milliseconds),
    readFile: bytesOf,
    appendTo,
    writeFile: writeWhole,
    replaceFile,
    isSameFile,
    removeFile,
    namesIn,
    foldersBelow,
    stop: options.stop ?? new AbortController().signal,
    atFault: () => () => {},
  };
  const code = await run(argv, io);
  return { code, ...written, json: () => jsonOf(written.out) };
}

/** Parses the JSON output; the last line of several. */
function jsonOf(text: string): Record<string, unknown> {
  return JSON.parse(/^\{.*\}\n(?=\{)/.test(text) ? (text.trim().split('\n').at(-1) ?? '') : text);
}

async function* stdinOf(
  content: string | Uint8Array,
  mayEnd: () => boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
  while (!mayEnd()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A request to a loopback server. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text or bytes. */
  readonly body?: unknown;
  /** Closes the connection instead of responding. */
  readonly hangUp?: boolean;
}

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** For tests: the id of a product by its number, from 1 to 9. */
export const idOf = (n: number): string => `${String(n).repeat(8)}-43f8-4f1d-9c53-5a4c1f5f0b01`;

/** For tests: a server with these responses, over real HTTP. */
export async function loopbackServer(answer: (asked: Asked) => Answer): Promise<LoopbackServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void respond(request, response, asked, answer);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** For tests: starts servers that are closed after each test. */
export function loopbackServers(): (answer: (asked: Asked) => Answer) => Promise<LoopbackServer> {
  const servers: LoopbackServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  return async (answer) => {
    const server = await loopbackServer(answer);
    servers.push(server);
    return server;
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked[],
  answer: (asked: Asked) => Answer,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const one: Asked = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(pieces).toString('utf8'),
  };
  asked.push(one);
  const { status = 200, headers = {}, body, hangUp } = answer(one);
  if (hangUp === true) {
    response.destroy();
    return;
  }
  const isSent = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { 'content-type': isSent ? 'text/html' : 'application/json', ...headers });
  response.end(isSent ? body : JSON.stringify(body));
}

/** For tests: the service's response to a page check with this verdict. */
export function pageCheckReport(url: string, verdict: string | undefined) {
  const mc4p = certificateOf(verdict);
  const notes = { findings: ['f: Finding.'], warnings: NOTES[String(verdict)] ?? [], errors: [] };
  return {
    id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    url,
    // another address of the same page
    final_url: `${url}?ref=x`,
    fetched_at: '2026-03-01T12:00:00.000Z',
    platform_detected: 'shopify',
    facts: { ...NO_FACTS, name: { value: 'Cup', source: 'jsonld', field: 'name' } },
    mc4p,
    ...notes,
    agreement: verdict === 'verified' ? AGREED : undefined,
    verdict,
    conclusion: isVerdict(verdict) && conclude(verdict, { ...mc4p, ...notes, agreement: 'same' }),
  };
}

/** For tests: the exit codes that are documented for verdicts, if nothing else is known. */
export const EXIT_OF_VERDICT: Readonly<Record<PageVerdict, number>> = {
  verified: 0,
  checks_failed: 1,
  canonical_mismatch: 1,
  invalid_certificate: 1,
  unverified: 2,
  no_certificate: 2,
  certificate_expired: 2,
  product_deleted: 2,
  page_fetch_failed: 3,
  password_protected: 3,
};

/** For tests: a page that names the signed product. */
export const AGREED = {
  outcome: 'same',
  fields: {
    name: { result: 'same', signed: 'Cup', stated: 'Cup', source: 'h1' },
    brand: { result: 'not_signed' },
    sku: { result: 'not_signed' },
    gtin: { result: 'not_signed' },
    pictures: { result: 'not_signed' },
  },
};

const NOTES: Readonly<Record<string, string[]>> = {
  certificate_expired: ['certificate_past_lifetime: The certificate is past its 7 days.'],
};

function isVerdict(verdict: string | undefined): verdict is PageVerdict {
  return (PAGE_VERDICTS as readonly (string | undefined)[]).includes(verdict);
}

/** What a report with this verdict says about the certificate. */
function certificateOf(verdict: string | undefined): {
  readonly present: boolean;
  readonly product_id?: string;
  readonly issued_to?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<string, boolean | null>>;
} {
  const allTrue = Object.fromEntries(CHECK_NAMES.map((name) => [name, true]));
  const allNull = Object.fromEntries(CHECK_NAMES.map((name) => [name, null]));
  const decided = {
    verified: ['verified', allTrue],
    unverified: ['unverified', allNull],
    certificate_expired: ['failed', { ...allTrue, timestampValid: false }],
    checks_failed: ['failed', { ...allTrue, boundToUrl: false }],
  } as const;
  if (['no_certificate', 'password_protected', 'page_fetch_failed'].includes(String(verdict))) {
    return { present: false };
  }
  const [status, checks] = decided[verdict as keyof typeof decided] ?? [];
  const product = { present: true, product_id: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6' };
  return status === undefined ? product : { ...product, issued_to: 'shop.example', status, checks };
}
