/**
 * Compares our results for the manifests of a folder's images with those of the C2PA engine itself, file by file. `npm run bench:images -- manifests
 * -- <folder>…`: such as the fixtures of github.com/contentauth/c2pa-rs. Exits with 1 if they differ.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import init, { WasmReader } from '@contentauth/c2pa-wasm';
import { readHeader } from '@touchstone/image';
import { type ImageInspection, openImageWorkers } from '@touchstone/image/node';

const wasm = new URL(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
await init({ module_or_path: readFileSync(wasm) });

/** `Valid`, `Invalid`, or the error. */
async function engineState(bytes: Uint8Array, mediaType: string, withIdentity: boolean): Promise<string> {
  const core = { decode_identity_assertions: withIdentity, allowed_network_hosts: [] };
  const verify = { verify_trust: true, remote_manifest_fetch: false, ocsp_fetch: false };
  try {
    const reader = await WasmReader.fromBytes(mediaType, bytes, JSON.stringify({ version: 1, core, verify }));
    return String(JSON.parse(reader.json()).validation_state);
  } catch (error) {
    return (/C2pa\((\w+)/.exec(String(error))?.[1] ?? String(error)).slice(0, 30);
  }
}

function ourWord({ manifest }: ImageInspection): string {
  if (!manifest.hasManifest) return manifest.failures[0]?.code ?? 'none';
  return manifest.valid ? 'valid' : 'invalid';
}

const folders = process.argv.slice(2);
const trust = { name: 'nobody', date: '2026-01-01', anchorsPem: '' };
const workers = openImageWorkers({ processes: 1, memoryMb: 2_000, timeoutMs: 60_000, trust });
let [read, differing] = [0, 0];
const row = (...cells: readonly string[]) =>
  console.log(cells.map((cell, i) => (i < 4 ? cell.padEnd(22) : cell)).join(''));
row('engine, integrity', 'engine, identity too', 'ours', 'identity', 'file');
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    const header = readHeader(bytes);
    if (header === null) continue;
    const inspection = await workers.inspect(bytes);
    const state = await engineState(bytes, header.mediaType, false);
    const agrees = ['Valid', 'Trusted'].includes(state) === inspection.manifest.valid;
    read += 1;
    if (!agrees) differing += 1;
    const withIdentity = await engineState(bytes, header.mediaType, true);
    row(
      state,
      withIdentity,
      ourWord(inspection),
      inspection.manifest.identity.status,
      agrees ? name : `${name}  DIFFERS`,
    );
  }
}
await workers.close();
console.log(`${read} images, ${differing} judged differently.`);
process.exitCode = differing > 0 || read === 0 ? 1 : 0;
