import { useEffect, useState } from 'preact/hooks';
import { PAGE_PATH, WORKER_PATH } from './offline.ts';

/** How far this page can be used without a network. */
interface OfflineState {
  readonly page: 'none' | 'preparing' | 'ready';
  /** The image reader, which is large: cached when the page is idle, or on request if data is expensive. */
  readonly engine: 'absent' | 'loading' | 'kept';
  /** A new version that waits until this one is closed. */
  readonly update: ServiceWorker | null;
  /** Set if the browser offers to install the page. */
  readonly install: (() => void) | null;
}

interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Registers the service worker that caches the page, and follows its state. */
export function useOffline(): OfflineState & { keepEngine(): void; noteEngine(): void } {
  const [page, setPage] = useState<OfflineState['page']>('none');
  const [engine, setEngine] = useState<OfflineState['engine']>('absent');
  const [update, setUpdate] = useState<ServiceWorker | null>(null);
  const [install, setInstall] = useState<InstallEvent | null>(null);

  useEffect(() => {
    void keepPage(setPage, setUpdate).then(async (isKept) => {
      if (await isEngineKept()) setEngine('kept');
      else if (isKept && !isDataDear()) whenIdle(() => void keepEngine(setEngine));
    });
    const onPrompt = (event: Event) => {
      event.preventDefault();
      setInstall(event as InstallEvent);
    };
    const onInstalled = () => setInstall(null);
    addEventListener('beforeinstallprompt', onPrompt);
    addEventListener('appinstalled', onInstalled);
    return () => {
      removeEventListener('beforeinstallprompt', onPrompt);
      removeEventListener('appinstalled', onInstalled);
    };
  }, []);

  return {
    page,
    engine,
    update,
    install: install === null ? null : () => void install.prompt(),
    noteEngine: () => void isEngineKept().then((kept) => kept && setEngine('kept')),
    keepEngine: () => void keepEngine(setEngine),
  };
}

/** Lets the service worker cache the engine: no part of it is loaded into this page. */
async function keepEngine(setEngine: (state: OfflineState['engine']) => void): Promise<void> {
  setEngine('loading');
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<'kept' | 'absent'>) => {
    setEngine(data);
    port1.close();
  };
  active?.postMessage('keep-engine', [port2]);
}

/** Whether the user saves data, or has a connection too slow for some megabytes. */
function isDataDear(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? '');
}

function whenIdle(work: () => void): void {
  if (globalThis.requestIdleCallback === undefined) setTimeout(work, 2_000);
  // a busy machine may never be idle
  else requestIdleCallback(work, { timeout: 5_000 });
}

/** @returns whether it is cached */
async function keepPage(
  setPage: (state: OfflineState['page']) => void,
  setUpdate: (worker: ServiceWorker | null) => void,
): Promise<boolean> {
  // missing on insecure pages, or if the browser stores nothing
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return false;
  try {
    setPage('preparing');
    const registration = await serviceWorker.register(WORKER_PATH, { scope: PAGE_PATH });
    const follow = (worker: ServiceWorker | null) => {
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && serviceWorker.controller !== null) setUpdate(worker);
      });
    };
    if (registration.waiting !== null && serviceWorker.controller !== null) setUpdate(registration.waiting);
    follow(registration.installing);
    registration.addEventListener('updatefound', () => follow(registration.installing));
    let isReloading = false;
    const wasControlled = serviceWorker.controller !== null;
    serviceWorker.addEventListener('controllerchange', () => {
      // the first service worker takes over without a reload
      if (!wasControlled || isReloading) return;
      isReloading = true;
      location.reload();
    });
    await serviceWorker.ready;
    setPage('ready');
    return true;
  } catch {
    setPage('none');
    return false;
  }
}

async function isEngineKept(): Promise<boolean> {
  if (globalThis.caches === undefined) return false;
  const names = (await caches.keys()).filter((name) => name.startsWith('touchstone-verify-engine'));
  const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).length));
  return kept.some((count) => count > 0);
}
