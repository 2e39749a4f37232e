/** Runs in the page: the code of a site that opens images with our package, and functions for tests. */
import {
  createKeySet,
  type Jwks,
  type ProfileVerification,
  verifyProfiles,
} from '@touchstone/certificate/verify';
import { manifestReader } from '@touchstone/image';
import { ImageFault, type ImageInspection, openImageWorker } from '@touchstone/image/browser';

export interface PageOptions {
  readonly anchorsPem?: string;
  readonly memoryMb?: number;
  readonly timeoutMs?: number;
  readonly wasmUrl?: string;
  /** Scripts of the first workers; all later ones have the real script. */
  readonly firstWorkers?: readonly string[];
}

/** The result for an image. */
export type Outcome =
  | { readonly inspection: ImageInspection }
  | { readonly fault: string }
  | { readonly error: string };

/** Bytes in a form that tests can send. */
type Base64 = string;

export function openImages({
  anchorsPem = '',
  memoryMb = 512,
  timeoutMs = 60_000,
  wasmUrl = '/c2pa.wasm',
  firstWorkers = [],
}: PageOptions) {
  const scripts = [...firstWorkers];
  const images = openImageWorker({
    startWorker: () => new Worker(scripts.shift() ?? '/worker.js', { type: 'module' }),
    wasmUrl,
    memoryMb,
    timeoutMs,
    trust: { name: 'test', date: '2026-03-04', anchorsPem },
  });
  return {
    /** Also returns how often the page's own tasks ran meanwhile. */
    async inspect(bytes: Base64): Promise<Outcome & { turns: number }> {
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 1);
      const outcome = await images.inspect(bytesOf(bytes)).then(
        (inspection) => ({ inspection }),
        (error: unknown) => (error instanceof ImageFault ? { fault: error.code } : { error: String(error) }),
      );
      clearInterval(timer);
      return { ...outcome, turns };
    },
    verify(document: object, image: Base64, jwks: Jwks, at: ProfileContext): Promise<ProfileVerification> {
      return verifyProfiles({
        ...at,
        document,
        kind: 'asset',
        keySet: createKeySet(jwks),
        now: new Date(at.now),
        image: bytesOf(image),
        readManifest: manifestReader(images),
      });
    },
    close: () => images.close(),
  };
}

export interface ProfileContext {
  readonly issuers: readonly string[];
  readonly now: string;
  readonly context: { readonly domain: string; readonly pageUrl: string };
}

function bytesOf(base64: Base64): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
}
