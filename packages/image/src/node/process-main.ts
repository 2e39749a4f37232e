/** Opens untrusted images, one at a time. The process has no keys, environment or connections. */
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ImageFault } from '../inspect/fault.ts';
import { acceptedHeader, inspect } from '../inspect/inspect.ts';
import { faultResponse } from '../inspect/worker-protocol.ts';
import { boundedText } from '../manifest/bounded.ts';
import { loadManifestEngine } from '../manifest/engine.ts';
import { signImage } from '../manifest/sign.ts';
import { blobOf, provideFileReader } from './blob.ts';
import type { ProcessRequest, ProcessResponse } from './image-process.ts';
import { decodePixels } from './pixels.ts';

const [memoryBytes = 0, cpuMs = 0, decodeSeconds = 0, parent = 0] = process.argv.slice(2).map(Number);
const watchdog = new Worker(new URL('./watchdog-main.ts', import.meta.url), {
  workerData: { memoryBytes, cpuMs, parent },
  execArgv: [],
});
// lower than the process that answers requests, but not for the watchdog above: the priority cannot be raised again
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
// not exit(), which would wait for a decoder
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
provideFileReader();
Object.defineProperty(globalThis, 'fetch', { value: undefined });

const wasm = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
const engine = await loadManifestEngine(wasm);
const decode = (bytes: Uint8Array, header: Parameters<typeof decodePixels>[1]) =>
  decodePixels(bytes, header, decodeSeconds);

let onSignature: (cose: Uint8Array) => void = () => {};
process.on('message', (request: ProcessRequest) => {
  if (request.kind === 'signature') onSignature(request.cose);
  else void opening(request).then(send);
});
send({ kind: 'ready' });

function send(response: ProcessResponse): void {
  process.send?.(response);
}

/** Counts the time of one request; there is only one at a time. */
async function opening(request: Exclude<ProcessRequest, { kind: 'signature' }>): Promise<ProcessResponse> {
  watchdog.postMessage(true);
  const response = await respond(request);
  watchdog.postMessage(false);
  return response;
}

async function respond(request: Exclude<ProcessRequest, { kind: 'signature' }>): Promise<ProcessResponse> {
  try {
    if (request.kind === 'sign') return await sign(request);
    const inspection = await inspect(request.bytes, request.trust, { engine, decode });
    return { kind: 'inspected', inspection, heldBytes: process.memoryUsage.rss() };
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    return faultResponse(error, process.memoryUsage.rss());
  }
}

async function sign(request: Extract<ProcessRequest, { kind: 'sign' }>): Promise<ProcessResponse> {
  const { mediaType } = acceptedHeader(request.bytes);
  const signer = { algorithm: request.algorithm, size: request.signatureSize, sign: askForSignature };
  const bytes = await signImage(blobOf(request.bytes), mediaType, request.manifest, signer).catch(
    (error: unknown) => {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      throw new ImageFault('undecodable', boundedText(String(error)));
    },
  );
  const report = await engine.read(bytes, mediaType, { name: '', date: '', anchorsPem: '' });
  return { kind: 'signed', bytes, report, heldBytes: process.memoryUsage.rss() };
}

function askForSignature(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    onSignature = (cose) => resolve(new Uint8Array(cose));
    send({ kind: 'claim', claim });
  });
}
