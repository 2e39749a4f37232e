import { createServer, type RequestListener } from 'node:http';
import { readFacts } from '@touchstone/facts';
import { createPageFetcher, type PageFetcherOptions } from '@touchstone/fetch';
import { readPage } from '@touchstone/page/read';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeServer, listen, portOf } from '../../../../../test/kit/servers.ts';
import type { Database } from '../../platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { parseConfig } from '../../platform/settings/config.ts';
import { type ObserveSettings, observeSettings } from './observe-settings.ts';
import { createObserver, type Observer, type ObserverOptions } from './observer.ts';

export const DEFAULT_OBSERVE_SETTINGS: ObserveSettings = observeSettings(parseConfig({}, []));

/** A shop on loopback with configurable answers and a count of requests. */
export interface TestPages {
  readonly port: number;
  readonly hits: () => number;
  /** Sets the answer to further requests. */
  answer(listener: RequestListener): void;
  /** As it was at first. */
  reset(): void;
  close(): Promise<void>;
}

export async function testPages(): Promise<TestPages> {
  let hits = 0;
  let listener: RequestListener = plainPage;
  const server = createServer((request, response) => {
    hits += 1;
    listener(request, response);
  });
  await listen(server);
  return {
    port: portOf(server),
    hits: () => hits,
    answer: (next) => {
      listener = next;
    },
    reset: () => {
      hits = 0;
      listener = plainPage;
    },
    close: async () => {
      await closeServer(server);
    },
  };
}

function plainPage(...[, response]: Parameters<RequestListener>): void {
  html(response, '<title>A cup</title>');
}

export function html(response: Parameters<RequestListener>[1], body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
}

/** A gate that requests wait at until it is opened. */
export function heldAnswer(body: string): { listener: RequestListener; open: () => void } {
  const opened = Promise.withResolvers<void>();
  return {
    listener: (_request, response) => {
      void opened.promise.then(() => html(response, body));
    },
    open: opened.resolve,
  };
}

export interface TestObserverOptions extends Partial<Omit<ObserverOptions, 'settings'>> {
  readonly settings?: Partial<ObserveSettings>;
  readonly fetch?: Partial<PageFetcherOptions>;
}

/** One node's observer; `shop.example` and `other.example` are the pages on loopback. */
export function testObserver(db: Database, pages: TestPages, options: TestObserverOptions = {}): Observer {
  const { settings, fetch, ...rest } = options;
  const connectTo = ['shop.example', 'other.example', 'copy.example'].map((host) => ({
    host,
    address: '127.0.0.1',
    toPort: pages.port,
  }));
  return createObserver({
    db,
    clock: () => new Date(),
    secrets: testSecrets(),
    readPage: (body, readOptions) => readPage(body, readOptions, readFacts),
    fetcher: createPageFetcher({ userAgent: 'Touchstone-test', connectTo, ...fetch }),
    settings: { ...DEFAULT_OBSERVE_SETTINGS, ...settings },
    ...rest,
  });
}

/** Nodes of the service with pages on loopback. They are closed after each test, and their data is deleted before the next. */
export function useObservers() {
  const opened: Observer[] = [];
  const service = {
    database: {} as TestDatabase,
    pages: {} as TestPages,
    secrets: testSecrets(),
    /** Another node of the service. */
    node(options: TestObserverOptions = {}): Observer {
      const { secrets } = service;
      const observer = testObserver(service.database.open().db, service.pages, { secrets, ...options });
      opened.push(observer);
      return observer;
    },
    leases: async () => (await service.database.query('select 1 from fetch_leases')).length,
  };
  beforeAll(async () => {
    service.database = await testDatabase();
    service.pages = await testPages();
  });
  afterAll(async () => {
    await service.pages.close();
    await service.database.close();
  });
  beforeEach(async () => {
    service.pages.reset();
    await service.database.query(
      'truncate observations, fetch_leases, page_texts, page_checks, rate_windows',
    );
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((observer) => observer.close()));
  });
  return service;
}

/** Lets time pass for everything that was observed so far. */
export async function ageObservations(database: TestDatabase, seconds: number): Promise<void> {
  await database.query('update observations set fetched_at = fetched_at - make_interval(secs => $1)', [
    seconds,
  ]);
}

/** Microseconds since 1970, by the database's clock. */
export async function databaseNow(database: TestDatabase): Promise<number> {
  const rows = await database.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as now',
  );
  return Number(rows[0]?.now);
}
