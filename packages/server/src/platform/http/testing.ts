import type { CheckedInput, Operation } from '@touchstone/contract';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import { pino } from 'pino';
import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { RequestRecord } from '../metrics/request-durations.ts';
import { buildHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts';
import type { IdempotencyClaim, IdempotencyStore, StoredAnswer } from './idempotency.ts';
import type { Call, Reply, Route } from './route.ts';

/** A server that also answers requests without a socket. */
export interface TestApp extends HttpServer {
  inject(request: InjectOptions | string): Promise<Response>;
}

export function injectable(http: HttpServer): TestApp {
  return {
    ...http,
    inject: (request) =>
      inject((asked, response) => void http.server.emit('request', asked, response), request),
  };
}

/** A few routes, one per kind of behaviour, and a server over it: for tests of the machinery only. */
export interface TestServer {
  readonly app: TestApp;
  readonly log: string[];
  readonly records: RequestRecord[];
  /** Calls that reached a handler. */
  readonly calls: { readonly input: unknown; readonly call: Call }[];
}

export function testServer(overrides: Partial<HttpServerOptions> = {}): TestServer {
  const log: string[] = [];
  const records: RequestRecord[] = [];
  const calls: { input: unknown; call: Call }[] = [];
  const app = injectable(
    buildHttpServer({
      routes: testRoutes((input, call) => calls.push({ input, call })),
      baseUrl: 'https://certs.example',
      logger: pino({ level: 'debug' }, { write: (line) => void log.push(line) }),
      authenticate: async (key) => {
        if (key === 'tsk_operator') return { role: 'operator', keyId: 'op' };
        return key === 'tsk_merchant' ? { role: 'merchant', keyId: 'm1', merchantId: 'merchant-1' } : null;
      },
      findSession: async (token) =>
        token === 'session-of-m1' ? { role: 'merchant', keyId: 'm1', merchantId: 'merchant-1' } : null,
      idempotency: memoryIdempotency(),
      trustProxy: ['127.0.0.0/8'],
      onRequestDone: (record) => void records.push(record),
      ...overrides,
    }),
  );
  return { app, log, records, calls };
}

export const THING_ID = '0b0e7a5c-6d1f-4b4e-9f57-0d4b0f6f2a11';
export const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends a body to the route that verifies a thing. */
export function verify(
  { app }: TestServer,
  payload: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
) {
  return app.inject({ method: 'POST', url: `/things/${THING_ID}/verify`, payload, headers });
}

function id({ caller, key }: IdempotencyClaim): string {
  return `${caller} ${key}`;
}

function memoryIdempotency(): IdempotencyStore {
  const rows = new Map<string, { hash: string; answer?: StoredAnswer }>();
  return {
    async begin(claim) {
      const row = rows.get(id(claim));
      const hash = claim.requestHash.toString('hex');
      if (row === undefined) {
        rows.set(id(claim), { hash });
        return { kind: 'new' };
      }
      if (row.hash !== hash) return { kind: 'mismatch' };
      return row.answer === undefined ? { kind: 'in_progress' } : { kind: 'replay', answer: row.answer };
    },
    async finish(claim, answer) {
      rows.set(id(claim), { hash: claim.requestHash.toString('hex'), answer });
    },
    async abandon(claim) {
      rows.delete(id(claim));
    },
  };
}

const common = { tag: 'Operations', summary: 'For tests', replies: {}, errors: [] } as const;
const ThingParams = z.object({ thing_id: z.guid() });

/** An operation of no contract, which may answer anything. */
function implemented<const O extends Operation>(
  operation: O,
  handle: (input: CheckedInput<O>, call: Call) => Promise<Reply>,
): Route {
  return { ...operation, handle: handle as unknown as Route['handle'] };
}

function testRoutes(seen: (input: unknown, call: Call) => void): Route[] {
  return [
    implemented(
      {
        ...common,
        id: 'getThing',
        method: 'GET',
        path: '/things/{thing_id}/certificate',
        access: 'public',
        anyOrigin: true,
        hot: true,
        params: ThingParams,
      },
      async (input, call) => {
        seen(input, call);
        const headers = {
          etag: '"abc"',
          'cache-control': 'public, max-age=86400',
          'content-type': 'application/json',
        };
        return { status: 200, headers, body: Buffer.from('{"thing":true}') };
      },
    ),
    implemented(
      {
        ...common,
        id: 'verifyThing',
        method: 'POST',
        path: '/things/{thing_id}/verify',
        access: 'public',
        anyOrigin: true,
        params: ThingParams,
        body: z.object({ productUrl: z.string(), document: z.unknown().optional() }),
      },
      async (input, call) => {
        seen(input, call);
        return { status: 200, body: { got: input.body.productUrl } };
      },
    ),
    implemented(
      {
        ...common,
        id: 'createThing',
        method: 'POST',
        path: '/things',
        access: 'merchant',
        idempotent: true,
        bodyLimit: 100,
        body: z.object({ name: z.string() }),
      },
      async (input, call) => {
        seen(input, call);
        if (input.body.name === 'conflict') throw new ServiceError('conflict');
        return { status: 201, body: { name: input.body.name, at: performance.now() } };
      },
    ),
    implemented({ ...common, id: 'getMine', method: 'GET', path: '/mine', access: 'merchant' }, async () => ({
      status: 200,
      body: { mine: true },
    })),
    implemented(
      {
        ...common,
        id: 'deleteThing',
        method: 'DELETE',
        path: '/things/{thing_id}',
        access: 'operator',
        params: ThingParams,
      },
      async () => ({ status: 204 }),
    ),
    implemented(
      {
        ...common,
        id: 'putRows',
        method: 'PUT',
        path: '/rows',
        access: 'public',
        acceptsNdjson: true,
        body: z.array(z.unknown()),
      },
      async (input, call) => {
        if (call.rawBody === undefined) return { status: 200, body: { rows: input.body.length } };
        let bytes = 0;
        for await (const chunk of call.rawBody) {
          bytes += chunk.length;
          if (chunk.includes(0x21)) throw new ServiceError('conflict');
        }
        return { status: 200, body: { bytes } };
      },
    ),
    implemented(
      {
        ...common,
        id: 'fail',
        method: 'GET',
        path: '/fail/{how}',
        access: 'public',
        params: z.object({ how: z.string() }),
      },
      async ({ params }, call) => {
        seen(params, call);
        if (params.how === 'bug') throw new Error('secret detail of a bug');
        if (params.how === 'away')
          throw new ServiceError('database_unavailable', { cause: new Error('ECONNREFUSED') });
        if (params.how === 'limited') throw new ServiceError('fresh_rate_limited', { retryAfter: 7.2 });
        if (params.how === 'aborted') {
          await new Promise((resolve) => call.signal.addEventListener('abort', resolve, { once: true }));
          call.signal.throwIfAborted();
        }
        if (params.how === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
        return { status: 200, body: { how: params.how } };
      },
    ),
    implemented(
      {
        ...common,
        id: 'stream',
        method: 'GET',
        path: '/stream',
        access: 'public',
      },
      async (input, call) => ({
        status: 200,
        headers: { 'content-type': 'application/x-ndjson', 'content-length': '16' },
        body: (async function* () {
          seen(input, call);
          yield '{"a":1}\n';
          yield '{"a":2}\n';
        })(),
      }),
    ),
  ];
}
