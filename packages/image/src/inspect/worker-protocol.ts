import type { TrustList } from '../manifest/manifest-report.ts';
import { ImageFault, type ImageFaultCode } from './fault.ts';
import type { ImageInspection } from './inspect.ts';

/** A request to a worker. */
export interface InspectRequest {
  readonly kind: 'inspect';
  readonly bytes: Uint8Array;
  readonly trust: TrustList;
}

/** Sent once, before the worker accepts requests. */
export interface ReadyResponse {
  readonly kind: 'ready';
}

/** The result of an inspection. */
export interface InspectedResponse {
  readonly kind: 'inspected';
  readonly inspection: ImageInspection;
  /** Memory that the worker holds afterwards. */
  readonly heldBytes: number;
}

/** The response of a worker that could not open the image. */
export interface FaultResponse {
  readonly kind: 'fault';
  readonly code: ImageFaultCode;
  readonly detail?: string;
  readonly heldBytes: number;
}

export function faultResponse({ code, detail }: ImageFault, heldBytes: number): FaultResponse {
  return { kind: 'fault', code, ...(detail === undefined ? {} : { detail }), heldBytes };
}

/** Limits for one image. */
export interface WorkerLimits {
  /** Megabytes (10^6 bytes): of the whole process in Node, of the engine's WebAssembly in a browser. */
  readonly memoryMb: number;
  /** Milliseconds for one image: of CPU time in Node, where others may use the machine; in a browser, from the beginning of opening it. */
  readonly timeoutMs: number;
}

/**
 * Checks options for callers without a compiler: wrong ones would otherwise look like images that crash their workers.
 *
 * @throws TypeError with what is wrong
 */
export function checkOptions(limits: WorkerLimits, trust: TrustList | undefined): void {
  for (const name of ['memoryMb', 'timeoutMs'] as const)
    if (!(limits[name] > 0)) throw new TypeError(`${name} must be a number above 0.`);
  if (typeof trust?.anchorsPem !== 'string')
    throw new TypeError(
      "trust must be a list of signers: nobody is { name: 'nobody', date: '2026-01-01', anchorsPem: '' }.",
    );
}

/** A worker that is handling a request. */
interface RespondingWorker extends WorkerLimits {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** Share of the memory that may stay in use between images. */
const IDLE_SHARE = 0.6;

/**
 * The response of a worker. A worker that takes too long is terminated, and so is one that still uses too much memory afterwards.
 *
 * @throws ImageFault of the response, timed_out, worker_died
 */
export async function resultOf<R extends { readonly heldBytes: number }>(
  responding: Promise<R | FaultResponse>,
  { memoryMb, timeoutMs, ended, end }: RespondingWorker,
): Promise<R> {
  const response = await within(timeoutMs, responding, ended);
  if (typeof response === 'string') {
    await end();
    throw new ImageFault(response);
  }
  if (response.heldBytes > memoryMb * 1_000_000 * IDLE_SHARE) void end();
  if (isFault(response)) throw new ImageFault(response.code, response.detail);
  return response;
}

function isFault(response: object): response is FaultResponse {
  return 'kind' in response && response.kind === 'fault';
}

/** The first of these: the response, the deadline, the end of the worker. */
export async function within<T>(
  ms: number,
  responding: Promise<T>,
  ended: Promise<void>,
): Promise<T | 'timed_out' | 'worker_died'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(resolve, ms, 'timed_out');
  });
  const died = ended.then(() => 'worker_died' as const);
  try {
    return await Promise.race([responding, late, died]);
  } finally {
    clearTimeout(timer);
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
