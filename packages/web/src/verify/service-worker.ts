/**
 * Caches the offline verifier in the browser: the files of this page and the service's public keys, and nothing else (the page itself keeps status lists): no API response, no
 * other page, and never anything that was verified.
 */

/** The data that the build writes before this script (`offline-files.ts`). The script imports nothing, so that it is one file. */
export interface Precache {
  /** Changes with any of the files. */
  readonly version: string;
  /** Paths of files, which are named by their hashes. */
  readonly files: readonly string[];
  /** Path of the engine, which reads manifests; it is large, so it is cached last, when the page requests it. */
  readonly engine: string;
  /** Paths of the page and of the service's public keys. */
  readonly page: string;
  readonly keys: string;
  /** Name of the cache of status lists, which the page writes. */
  readonly lists: string;
}

/** The parts of `ServiceWorkerGlobalScope` that are used here. */
interface WorkerScope {
  readonly touchstone: Precache;
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  readonly caches: CacheStorage;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent & ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const scope = globalThis as unknown as WorkerScope;
const { version, files, engine, page: PAGE_PATH, keys: KEYS_PATH, lists: LISTS } = scope.touchstone;
const OURS = 'touchstone-verify-';
const FILES = `${OURS}${version}`;
/** Kept across versions: without keys nothing can be verified. */
const KEYS = `${OURS}keys`;
/** Kept across versions too, since most have the same engine. */
const ENGINE = `${OURS}engine`;
/** Milliseconds to wait for the network before a cached page or cached keys are used. */
const PATIENCE = 4_000;

scope.addEventListener('install', (event) => event.waitUntil(keepFiles()));
scope.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
scope.addEventListener('message', (event) => {
  const { data, ports } = event;
  if (data === 'use-now') void scope.skipWaiting();
  if (data === 'keep-engine')
    event.waitUntil(
      keepEngine().then(
        () => ports[0]?.postMessage('kept'),
        () => ports[0]?.postMessage('absent'),
      ),
    );
});
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.location.origin) return;
  if (pathname === KEYS_PATH) event.respondWith(freshOrKept(event, KEYS, KEYS_PATH));
  else if (pathname === PAGE_PATH && request.mode === 'navigate')
    event.respondWith(freshOrKept(event, FILES, PAGE_PATH));
  else if (pathname.startsWith('/assets/')) event.respondWith(keptOrFresh(event));
});

async function keepFiles(): Promise<void> {
  const cache = await scope.caches.open(FILES);
  // 'reload': the HTTP cache may contain another version
  await cache.addAll([...files, PAGE_PATH].map((path) => new Request(path, { cache: 'reload' })));
  await keepKeys();
}

async function keepKeys(): Promise<void> {
  try {
    const answer = await fetch(KEYS_PATH, { cache: 'no-cache' });
    if (answer.ok) await (await scope.caches.open(KEYS)).put(KEYS_PATH, answer);
  } catch {
    // the page requests them, too
  }
}

async function keepEngine(): Promise<void> {
  const cache = await scope.caches.open(ENGINE);
  if ((await cache.match(engine)) === undefined) await cache.add(engine);
}

/** Deletes the caches of former versions. */
async function dropOthers(): Promise<void> {
  const names = await scope.caches.keys();
  const former = names.filter(
    (name) => name.startsWith(OURS) && ![FILES, KEYS, LISTS, ENGINE].includes(name),
  );
  await Promise.all(former.map((name) => scope.caches.delete(name)));
  const engines = await scope.caches.open(ENGINE);
  const others = (await engines.keys()).filter(({ url }) => new URL(url).pathname !== engine);
  await Promise.all(others.map((request) => engines.delete(request)));
  await scope.clients.claim();
}

/**
 * Network first, with the cache as fallback. Only successful responses are cached; others are passed on, except for server errors if there
 * is a cached response.
 */
async function freshOrKept(event: FetchEvent, name: string, path: string): Promise<Response> {
  const cache = await scope.caches.open(name);
  const fresh = fetch(event.request).then((answer) => {
    if (answer.ok && !answer.redirected) event.waitUntil(cache.put(path, answer.clone()));
    return answer;
  });
  const kept = await cache.match(path, { ignoreVary: true });
  if (kept === undefined) return fresh;
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(kept), PATIENCE);
  });
  return Promise.race([
    fresh.then((answer) => (answer.status >= 500 ? kept : answer)).catch(() => kept),
    late,
  ]);
}

/** Cache first, since files are named by their hashes. The engine is cached when it is first requested. */
async function keptOrFresh(event: FetchEvent): Promise<Response> {
  const { pathname } = new URL(event.request.url);
  const kept = await scope.caches.match(pathname, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const answer = await fetch(event.request);
  if (answer.ok && pathname === engine) {
    const copy = answer.clone();
    event.waitUntil(scope.caches.open(ENGINE).then((cache) => cache.put(pathname, copy)));
  }
  return answer;
}
