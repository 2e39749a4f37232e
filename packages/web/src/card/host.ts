/** What the host tells about its surroundings; absent members are unknown. */
export interface HostContext {
  readonly theme?: unknown;
  /** A language tag (BCP 47); only a language with a region, or alone, is understood. */
  readonly locale?: unknown;
}

/** What happens to a tool's call, as the host tells it. */
export interface Listener {
  context(changed: HostContext): void;
  result(result: unknown): void;
  cancelled(): void;
}

/** The revision of MCP Apps. */
const REVISION = '2026-01-26';
const METHOD_NOT_FOUND = -32_601;

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: { readonly hostContext?: HostContext };
}

/**
 * Speaks with the host of an MCP App: JSON-RPC in messages between windows (SEP-1865). The library `@modelcontextprotocol/ext-apps` does the
 * same in half a megabyte.
 *
 * @returns tells the host how high the card is
 */
export function connectHost(version: string, listener: Listener): () => void {
  const host = window.parent;
  const send = (message: object) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let isReady = false;
  const tellSize = () => {
    if (!isReady) return;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    send({ method: 'ui/notifications/size-changed', params: { width: window.innerWidth, height } });
  };
  const heard: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>> = {
    'ui/notifications/host-context-changed': (params) => listener.context(params),
    'ui/notifications/tool-result': (params) => listener.result(params),
    'ui/notifications/tool-cancelled': () => listener.cancelled(),
  };
  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== host || data?.jsonrpc !== '2.0') return;
    const { id, method, params = {}, result } = data;
    if (typeof method !== 'string') {
      if (id !== 1 || isReady) return;
      if (result?.hostContext !== undefined) listener.context(result.hostContext);
      isReady = true;
      send({ method: 'ui/notifications/initialized', params: {} });
      tellSize();
    } else if (id === undefined) {
      if (Object.hasOwn(heard, method)) heard[method]?.(params);
    } else if (method === 'ui/resource-teardown' || method === 'ping') {
      send({ id, result: {} });
    } else {
      send({ id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } });
    }
  });
  new ResizeObserver(tellSize).observe(document.documentElement);
  send({
    id: 1,
    method: 'ui/initialize',
    params: {
      protocolVersion: REVISION,
      appInfo: { name: 'touchstone-verdict', version },
      appCapabilities: { availableDisplayModes: ['inline'] },
    },
  });
  return tellSize;
}
