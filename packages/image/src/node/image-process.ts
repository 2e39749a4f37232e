import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ImageFault } from '../inspect/fault.ts';
import type { PoolWorker } from '../inspect/pool.ts';
import {
  deferred,
  type FaultResponse,
  type InspectedResponse,
  type InspectRequest,
  type ReadyResponse,
  resultOf,
  type WorkerLimits,
  within,
} from '../inspect/worker-protocol.ts';
import type { ManifestReport } from '../manifest/manifest-report.ts';
import type { ManifestToSign } from '../manifest/sign.ts';

/** Messages to a process. */
export type ProcessRequest =
  | InspectRequest
  | {
      readonly kind: 'sign';
      readonly bytes: Uint8Array;
      readonly manifest: ManifestToSign;
      readonly algorithm: string;
      /** Bytes to reserve for the signature, including certificates. */
      readonly signatureSize: number;
    }
  /** The answer to `claim`. */
  | { readonly kind: 'signature'; readonly cose: Uint8Array };

/** The signed image, and the report of reading its manifest. */
export interface SignedResponse {
  readonly kind: 'signed';
  readonly bytes: Uint8Array;
  readonly report: ManifestReport;
  readonly heldBytes: number;
}

/** Messages from a process: `ready` once, then one result for each request. */
export type ProcessResponse =
  | ReadyResponse
  /** Requests the signature of a claim; the process does not have the key. */
  | { readonly kind: 'claim'; readonly claim: Uint8Array }
  | InspectedResponse
  | SignedResponse
  | FaultResponse;

/** One process that opens one image at a time. It is killed if an image exceeds the limits. */
export interface ImageProcess extends PoolWorker {
  /**
   * @param sign creates the COSE signature of a claim, if the process requests one
   * @throws ImageFault
   */
  run(
    request: ProcessRequest,
    sign?: (claim: Uint8Array) => Promise<Uint8Array>,
  ): Promise<InspectedResponse | SignedResponse>;
}

/** By which the watchdog ends a process that took too much CPU time for an image; it leaves no core dump. */
const TIME_IS_UP = 'SIGVTALRM';
/**
 * An image may take so many times its CPU time: processes have a low priority, and a busy machine is not the fault of an image. What
 * waits without using any, such as for a signature, ends then.
 */
const WALL_TIMES = 10;

const MAIN = fileURLToPath(new URL('./process-main.ts', import.meta.url));
/** Milliseconds for starting a process on a busy machine. */
const START_MS = 60_000;

/** Starts a process with limits; it ends with the one that started it. */
export function startImageProcess(limits: WorkerLimits): ImageProcess {
  const child = forkChild(limits);
  const wall = { ...limits, timeoutMs: limits.timeoutMs * WALL_TIMES };
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let usable = true;
  void ended.then(() => {
    usable = false;
  });
  // receives the next response: there is only one request at a time
  const { promise: ready, resolve: onReady } = deferred<'ready'>();
  let onResponse: (response: ProcessResponse) => void = () => onReady('ready');
  child.on('message', (response: ProcessResponse) => onResponse(response));
  const end = async () => {
    usable = false;
    child.kill('SIGKILL');
    await ended;
  };
  return {
    isUsable: () => usable,
    end,
    async run(request, sign) {
      if ((await within(START_MS, ready, ended)) !== 'ready') {
        await end();
        throw new Error('A process for opening images could not be started.');
      }
      const {
        promise: responding,
        resolve,
        reject,
      } = deferred<InspectedResponse | SignedResponse | FaultResponse>();
      onResponse = (response) => {
        if ('heldBytes' in response) return resolve(response);
        signatureFor(response, sign).then(
          (cose) => send(child, { kind: 'signature', cose }),
          (error: unknown) => {
            // the process still waits for its signature
            void end();
            reject(error);
          },
        );
      };
      send(child, request);
      return await resultOf(responding, { ...wall, ended, end }).catch((error: unknown) => {
        const hasDied = error instanceof ImageFault && error.code === 'worker_died';
        throw hasDied && child.signalCode === TIME_IS_UP ? new ImageFault('timed_out') : error;
      });
    },
  };
}

async function signatureFor(
  response: ProcessResponse,
  sign?: (claim: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (response.kind === 'claim' && sign !== undefined) return sign(response.claim);
  throw new Error(`The image process sent ${response.kind} when a result was due.`);
}

/** Other processes of the user cannot open its debugger by SIGUSR1; older versions of Node do not know the option. */
const NO_DEBUGGER = ['--disable-sigusr1'].filter((option) => process.allowedNodeEnvironmentFlags.has(option));

/** A child process without environment, with the limits of Node itself; its watchdog enforces the others. */
function forkChild({ memoryMb, timeoutMs }: WorkerLimits): ChildProcess {
  const memoryBytes = memoryMb * 1_000_000;
  const settings = [memoryBytes, timeoutMs, Math.ceil((timeoutMs * WALL_TIMES) / 1000), process.pid];
  return fork(MAIN, settings.map(String), {
    serialization: 'advanced',
    env: {},
    execArgv: [
      ...NO_DEBUGGER,
      `--max-old-space-size=${memoryMb}`,
      `--wasm-max-mem-pages=${Math.floor(memoryBytes / 65_536)}`,
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function send(child: ChildProcess, request: ProcessRequest): void {
  // a process that has ended is handled by `ended`
  if (child.connected) child.send(request, () => {});
}
