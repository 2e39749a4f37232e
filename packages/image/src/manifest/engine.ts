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

/** The engine's WebAssembly: its bytes, a compiled module, or an address from which it is loaded. */
export type EngineSource = InitInput;

/** Reads and validates C2PA manifests, without access to the network: remote manifests are not read. */
export interface ManifestEngine {
  /**
   * @param mediaType format of the bytes, by `readHeader`
   * @returns a report for any bytes; no contents of a file make it throw
   */
  read(bytes: Uint8Array, mediaType: ImageMediaType, trust: TrustList): Promise<ManifestReport>;
  /** Bytes of memory that the engine has allocated; it never releases any. */
  memoryBytes(): number;
}

/**
 * Loads the engine. Untrusted files can make it consume much time and memory: run it in a worker that can be terminated.
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

/** Reads a manifest again if the engine accepted a wrong time stamp, on whose time the validity of the signer's certificate depends. */
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

/** The report for a manifest that the engine could not read, or for none. Errors of WebAssembly itself are rethrown. */
function unreadable(error: unknown, bytes: Uint8Array, trust: TrustList): ManifestReport {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  const isAbsent = /JumbfNotFound/.test(message);
  // the engine does not find the address of a remote manifest in every format
  if (/RemoteManifest/.test(message) || (isAbsent && mentions(bytes, 'dcterms:provenance'))) {
    const explanation = 'The manifest lies elsewhere; nothing is fetched because an image says so.';
    return emptyReport(trust, false, [{ code: 'manifest.inaccessible', explanation }]);
  }
  // without the type of a JUMBF box, `jumb`, a damaged file never had a manifest
  if (isAbsent || !mentions(bytes, 'jumb')) return emptyReport(trust, false, []);
  return emptyReport(trust, true, [{ code: 'manifest.unreadable', explanation: boundedText(message) }]);
}

/** Whether the bytes contain this ASCII text. */
function mentions(bytes: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true;
  }
  return false;
}

/**
 * Settings of the engine: only these trust anchors, and no requests to addresses in a file.
 *
 * @param withIdentity validates identity assertions, too; their failures can then change the result for integrity
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
      // signed images are read like any other, which gives codes for failures
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
