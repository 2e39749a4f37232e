import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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

/** What the process of an image is sent. */
export type ProcessRequest =
  | InspectRequest
  | {
      readonly kind: 'sign';
      readonly bytes: Uint8Array;
      readonly manifest: ManifestToSign;
      readonly algorithm: string;
      /** Bytes that the signature takes, certificates and all. */
      readonly signatureSize: number;
    }
  /** The answer to `claim`. */
  | { readonly kind: 'signature'; readonly cose: Uint8Array };

/** The signed image, and what reading it back gave. */
export interface SignedResponse {
  readonly kind: 'signed';
  readonly bytes: Uint8Array;
  readonly report: ManifestReport;
  readonly heldBytes: number;
}

/** What it sends back: `ready` once, then one result for each request. */
export type ProcessResponse =
  | ReadyResponse
  /** Asks for the signature over a claim; the key never gets there. */
  | { readonly kind: 'claim'; readonly claim: Uint8Array }
  | InspectedResponse
  | SignedResponse
  | FaultResponse;

/** One process that opens one image at a time. An image that takes too much ends it. */
export interface ImageProcess extends PoolWorker {
  /**
   * @param sign makes the COSE signature over a claim, when it is asked for
   * @throws ImageFault
   */
  run(
    request: ProcessRequest,
    sign?: (claim: Uint8Array) => Promise<Uint8Array>,
  ): Promise<InspectedResponse | SignedResponse>;
}

const MAIN = fileURLToPath(new URL('./process-main.ts', import.meta.url));
/** Milliseconds that a process may take to start, on a machine that has others to start too. */
const START_MS = 60_000;

/** Starts a process; it is limited from the beginning, and ends with the one that started it. */
export function startImageProcess(limits: WorkerLimits): ImageProcess {
  const child = forkChild(limits);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let usable = true;
  void ended.then(() => {
    usable = false;
  });
  // one request at a time: what takes the next response
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
      return await resultOf(responding, { ...limits, ended, end });
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

/** A child with no environment, limited as far as Node can limit it; its watchdog does the rest. */
function forkChild({ memoryMb, timeoutMs }: WorkerLimits): ChildProcess {
  const memoryBytes = memoryMb * 1_000_000;
  const settings = [memoryBytes, Math.ceil(timeoutMs / 1000), process.pid];
  return fork(MAIN, settings.map(String), {
    serialization: 'advanced',
    env: {},
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      `--wasm-max-mem-pages=${Math.floor(memoryBytes / 65_536)}`,
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function send(child: ChildProcess, request: ProcessRequest): void {
  // a process that has ended is noticed by its end
  if (child.connected) child.send(request, () => {});
}
