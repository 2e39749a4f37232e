import { acceptedHeader, type ImageInspection } from '../inspect/inspect.ts';
import { createPool, MAX_WAITING } from '../inspect/pool.ts';
import { checkOptions, type WorkerLimits } from '../inspect/worker-protocol.ts';
import type { TrustList } from '../manifest/manifest-report.ts';
import type { ManifestToSign } from '../manifest/sign.ts';
import { claimSignature, type ManifestSigner } from './claim-signature.ts';
import { retryInFreshProcess } from './fresh-process.ts';
import { startImageProcess } from './image-process.ts';

/** How images are opened in processes. */
export interface ImageWorkerOptions extends WorkerLimits {
  /** Maximum number of images that are opened at a time, each in a separate process. Processes are started when they are needed. */
  readonly processes: number;
  /** Images that may wait while all processes are busy; any further one is refused with `overloaded`. Default: 64. */
  readonly waiting?: number | undefined;
  /** Trusted signers; for none: `{ name: 'nobody', date: '2026-01-01', anchorsPem: '' }`. */
  readonly trust: TrustList;
}

/** Opens images outside this process: one that crashes, hangs or takes too much memory does not affect the others. */
export interface ImageWorkers {
  /** @throws ImageFault */
  inspect(bytes: Uint8Array): Promise<ImageInspection>;
  /**
   * Signs an image and validates the result.
   *
   * @throws ImageFault; Error if the result is not valid, for example if the chain does not conform to C2PA's profile
   */
  sign(bytes: Uint8Array, manifest: ManifestToSign, signer: ManifestSigner): Promise<Uint8Array>;
  /** Ends all processes; images in progress fail with `closed`. */
  close(): Promise<void>;
}

/**
 * Opens untrusted images in separate processes, which are started when they are first needed.
 *
 * @throws TypeError for options of the wrong type
 * @example
 * ```ts
 * import { openImageWorkers } from '@touchstone/image/node';
 *
 * const trust = { name: 'nobody', date: '2026-01-01', anchorsPem: '' };
 * const workers = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 10_000, trust });
 * const fault = await workers.inspect(new Uint8Array()).catch((error) => error.code);
 * await workers.close();
 * fault; // 'not_an_image'
 * ```
 */
export function openImageWorkers({
  processes,
  waiting = MAX_WAITING,
  trust,
  ...limits
}: ImageWorkerOptions): ImageWorkers {
  checkOptions(limits, trust);
  const pool = createPool(processes, waiting, () => retryInFreshProcess(() => startImageProcess(limits)));
  return {
    async inspect(bytes) {
      acceptedHeader(bytes);
      const result = await pool.run((process) => process.run({ kind: 'inspect', bytes, trust }));
      if (result.kind !== 'inspected') throw new Error(`An image to inspect was ${result.kind}.`);
      return result.inspection;
    },
    async sign(bytes, manifest, signer) {
      acceptedHeader(bytes);
      const signature = claimSignature(signer);
      const { algorithm, size } = signature;
      const request = { kind: 'sign', bytes, manifest, algorithm, signatureSize: size } as const;
      const result = await pool.run((process) => process.run(request, signature.sign));
      if (result.kind !== 'signed') throw new Error(`An image to sign was ${result.kind}.`);
      if (result.report.valid) return result.bytes;
      const codes = result.report.failures.map(({ code }) => code).join(', ');
      throw new Error(`The signed image does not validate: ${codes}.`);
    },
    close: () => pool.close(),
  };
}
