import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Tinypool } from 'tinypool';

/** What the threads of a pool may use. */
export interface ThreadPoolOptions {
  /** The module that each thread loads, and the function of it that runs a task. */
  readonly module: URL;
  readonly run: string;
  /** Started at once and kept, and at most. */
  readonly least: number;
  readonly most: number;
  /** Megabytes of a thread's old generation. */
  readonly heapMegabytes: number;
  /** Bytes that a thread may use after a task; a thread that uses more is replaced. */
  readonly recycleAbove: number;
  /** Milliseconds after which a thread above `least` ends if it has nothing to do. */
  readonly idleTime?: number;
  /** Called if a thread cannot be started, for the log. */
  readonly onThreadFault?: ((error: unknown) => void) | undefined;
}

/** Megabytes of a thread's young generation. */
const YOUNG_MEGABYTES = 32;

/**
 * Threads for untrusted input: they get nothing that they do not need, and one that exceeds its memory or is aborted ends and is
 * replaced.
 */
export function openThreads({
  module,
  run,
  least,
  most,
  onThreadFault,
  ...limits
}: ThreadPoolOptions): Tinypool {
  const pool = new Tinypool({
    filename: module.href,
    name: run,
    minThreads: least,
    maxThreads: most,
    env: compileCache(),
    argv: [],
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMegabytes,
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
    },
    maxMemoryLimitBeforeRecycle: limits.recycleAbove,
    ...(limits.idleTime === undefined ? {} : { idleTimeout: limits.idleTime }),
  });
  pool.on('error', (error) => onThreadFault?.(error));
  return pool;
}

/** Where the process keeps compiled modules, if it does: loading them anew is most of what a thread costs. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  // the folder of this version of Node in the one that was given
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Whether a task ended because it exceeded the memory of its thread. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The bytes in a buffer of their own, which can be transferred to another thread. */
export function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? buffer : new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}
