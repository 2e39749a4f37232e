import init, { type InitInput, WasmReader } from '@contentauth/c2pa-wasm';
import type { ImageMediaType } from '../header/image-header.ts';
import { boundedText } from './bounded.ts';
import { statesIdentity } from './identity.ts';
import type { ManifestReport, TrustList } from './manifest-report.ts';
import { emptyReport, reportOf } from './report.ts';
import type { ManifestStore } from './store.ts';
import {
  anchorsOf,
  type EngineAnchors,
  isStampMisjudged,
  judgedByPurpose,
  withSignerOf,
} from './trust-purposes.ts';

/** The engine's WebAssembly: its bytes, a compiled module, or an address that the caller lets be loaded. */
export type EngineSource = InitInput;

/** Reads and validates C2PA manifests. It takes no part of the network: what lies elsewhere stays unread. */
export interface ManifestEngine {
  /**
   * @param mediaType what the bytes are by `readHeader`
   * @returns a report for any bytes; nothing is thrown for what is in a file
   */
  read(bytes: Uint8Array, mediaType: ImageMediaType, trust: TrustList): Promise<ManifestReport>;
  /** Bytes of memory that the engine holds; it never gives any back. */
  memoryBytes(): number;
}

/**
 * Starts the engine. Files of strangers can make it work hard: run it in a worker that can be ended.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { loadManifestEngine } from '@touchstone/image';
 *
 * // in a browser: new URL('/c2pa.wasm', location.href)
 * const wasm = new URL(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
 * const engine = await loadManifestEngine(await readFile(wasm));
 * engine.memoryBytes() > 0; // true
 * ```
 */
export async function loadManifestEngine(source: EngineSource): Promise<ManifestEngine> {
  const { memory } = await init({ module_or_path: source });
  return {
    async read(bytes, mediaType, trust) {
      try {
        const { store, list } = judgedByPurpose(await readByPurpose(bytes, mediaType, trust), trust);
        const identified = statesIdentity(store)
          ? await readStore(bytes, mediaType, engineSettings(anchorsOf(trust), true))
          : undefined;
        return reportOf(store, list, identified);
      } catch (error) {
        return unreadable(error, bytes, trust);
      }
    },
    memoryBytes: () => memory.buffer.byteLength,
  };
}

/** Read again where a stamp counted that must not, since the validity of the signer's certificate hangs on its time. */
async function readByPurpose(
  bytes: Uint8Array,
  mediaType: ImageMediaType,
  trust: TrustList,
): Promise<ManifestStore> {
  const store = await readStore(bytes, mediaType, engineSettings(anchorsOf(trust)));
  if (!isStampMisjudged(store)) return store;
  const stamps = engineSettings(anchorsOf(trust, 'time_stamps'));
  return withSignerOf(store, await readStore(bytes, mediaType, stamps));
}

async function readStore(
  bytes: Uint8Array,
  mediaType: ImageMediaType,
  settings: string,
): Promise<ManifestStore> {
  const reader = await WasmReader.fromBytes(mediaType, bytes, settings);
  try {
    return JSON.parse(reader.json());
  } finally {
    reader.free();
  }
}

/** A manifest that the engine could not read, or none. What went wrong inside WebAssembly itself is passed on. */
function unreadable(error: unknown, bytes: Uint8Array, trust: TrustList): ManifestReport {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  const isAbsent = /JumbfNotFound/.test(message);
  // the engine does not look for the address in every format
  if (/RemoteManifest/.test(message) || (isAbsent && mentions(bytes, 'dcterms:provenance'))) {
    const explanation = 'The manifest lies elsewhere; nothing is fetched because an image says so.';
    return emptyReport(trust, false, [{ code: 'manifest.inaccessible', explanation }]);
  }
  // a file can be broken without ever having had a manifest: `jumb` is the type of a JUMBF box
  if (isAbsent || !mentions(bytes, 'jumb')) return emptyReport(trust, false, []);
  return emptyReport(trust, true, [{ code: 'manifest.unreadable', explanation: boundedText(message) }]);
}

/** Whether this ASCII text stands anywhere in the bytes. */
function mentions(bytes: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true;
  }
  return false;
}

/**
 * Settings of the engine: judged by these anchors alone, and nothing requested because a file names it.
 *
 * @param withIdentity judge identity assertions too; what it finds wrong with them can then change its word on integrity
 */
export function engineSettings(anchors: readonly EngineAnchors[], withIdentity = false): string {
  return JSON.stringify({
    version: 1,
    trust: { anchors },
    verify: {
      verify_trust: true,
      verify_timestamp_trust: true,
      remote_manifest_fetch: false,
      ocsp_fetch: false,
      // what was signed is read back like any other image, which gives codes for what is wrong
      verify_after_sign: false,
    },
    core: {
      allowed_network_hosts: [],
      max_decompressed_manifest_size_in_mb: 20,
      decode_identity_assertions: withIdentity,
    },
    builder: { thumbnail: { enabled: false }, certificate_status_fetch: null },
  });
}
