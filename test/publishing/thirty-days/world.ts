import type { RunOptions } from '../../../packages/cli/src/testing.ts';
import { type TestService, testService } from '../../../packages/server/src/testing.ts';
import { openStore, operate } from '../../kit/registry.ts';
import { httpServer } from '../../kit/servers.ts';

export const BASE_URL = 'https://certificates.example';
export const HOUR = 3_600_000;

export type Json = Record<string, unknown>;

/** A shop's response at a path; `null`: not found. */
export type ShopAnswer = (path: string) => Promise<string | null> | string | null;

/** A service with an adjustable clock, which can be unavailable; and shops from which it can fetch. */
export interface World {
  now(): Date;
  travel(milliseconds: number): void;
  isUp(): boolean;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Requests to the service, by its public name. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  operate(method: string, path: string, body?: unknown): Promise<Json>;
  database: TestService['database'];
  /** Options for the command to reach the service; while it is unavailable, nothing listens there. */
  commandLine(): RunOptions;
  /** Creates a store for a host with these responses, and proves its domain. */
  open(host: string, answer: ShopAnswer): Promise<{ readonly storeId: string; readonly merchantId: string }>;
  close(): Promise<void>;
}

/** @param elsewhere - settings for other hosts that the service reaches, and the authorities that it trusts for them */
export async function openWorld(
  hosts: readonly string[],
  elsewhere: { readonly connectTo: string; readonly caFile: string },
): Promise<World> {
  const shops = new Map<string, ShopAnswer>();
  const server = await httpServer((request, response) => {
    const answer = shops.get(request.headers.host ?? '')?.(request.url ?? '/');
    void Promise.resolve(answer ?? null).then((page) => {
      const isChallenge = request.url?.startsWith('/.well-known/') === true;
      response.writeHead(page === null ? 404 : 200, {
        'content-type': isChallenge ? 'text/plain' : 'text/html',
      });
      response.end(page ?? '<!doctype html><title>Not here</title>');
    });
  });
  let ahead = 0;
  const overrides = { clock: () => new Date(Date.now() + ahead) };
  const settings = {
    TOUCHSTONE_BASE_URL: BASE_URL,
    TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    TOUCHSTONE_FETCH_CONNECT_TO: [
      ...hosts.map((host) => `${host}=127.0.0.1:${server.port}`),
      elsewhere.connectTo,
    ].join(','),
    TOUCHSTONE_FETCH_CA_FILE: elsewhere.caFile,
  };
  let service = await testService({ settings, overrides });
  const { operatorKey = '' } = service;
  let isUp = true;

  const world: World = {
    now: overrides.clock,
    travel: (milliseconds) => {
      ahead += milliseconds;
    },
    isUp: () => isUp,
    database: service.database,
    async stop() {
      await service.close();
      isUp = false;
    },
    async start() {
      service = await service.restart(settings, overrides);
      isUp = true;
    },
    fetch: (url, init) =>
      isUp
        ? fetch(url.replace(BASE_URL, service.url), init)
        : Promise.reject(new Error('connection refused')),
    operate: (method, path, body) => operate(service, method, path, body),
    commandLine: () => ({
      now: overrides.clock(),
      env: { TOUCHSTONE_SERVICE: isUp ? service.url : 'http://127.0.0.1:1', TOUCHSTONE_KEY: operatorKey },
      waits: [],
    }),
    async open(host, answer) {
      const showChallenge = (_: string, challenge: string) =>
        shops.set(host, (path) => (path.startsWith('/.well-known/') ? challenge : answer(path)));
      const store = await openStore(service, `http://${host}/`, {
        planCapacity: 1_000,
        shop: { showChallenge },
      });
      return { storeId: store.id, merchantId: store.merchantId };
    },
    async close() {
      if (!isUp) await world.start();
      await service.dispose();
      await server.close();
    },
  };
  return world;
}
