/** Opens images of strangers, one at a time. Nothing of ours is in here: no key, no environment, no connection. */
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { faultAnswer } from '../inspect/answer.ts';
import { ImageFault } from '../inspect/fault.ts';
import { acceptedHeader, inspect } from '../inspect/inspect.ts';
import { boundedText } from '../manifest/bounded.ts';
import { loadManifestEngine } from '../manifest/engine.ts';
import { signImage } from '../manifest/sign.ts';
import { blobOf, provideFileReader } from './blob.ts';
import type { Answer, Order } from './messages.ts';
import { decodePixels } from './pixels.ts';

const [memoryBytes = 0, decodeSeconds = 0, parent = 0] = process.argv.slice(2).map(Number);
new Worker(new URL('./watchdog-main.ts', import.meta.url), {
  workerData: { memoryBytes, parent },
  execArgv: [],
});
// after the watchdog, which must not be late: who answers callers comes first. Nobody may raise it again
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
// not exit(), which would wait for what is being decoded
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
provideFileReader();
Object.defineProperty(globalThis, 'fetch', { value: undefined });
sharp.cache(false);
sharp.concurrency(1);

const wasm = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
const engine = await loadManifestEngine(wasm);
const decode = (bytes: Uint8Array, header: Parameters<typeof decodePixels>[1]) =>
  decodePixels(bytes, header, decodeSeconds);

let onSignature: (cose: Uint8Array) => void = () => {};
process.on('message', (order: Order) => {
  if (order.kind === 'signature') onSignature(order.cose);
  else void carryOut(order).then(answer);
});
answer({ kind: 'ready' });

function answer(message: Answer): void {
  process.send?.(message);
}

async function carryOut(order: Exclude<Order, { kind: 'signature' }>): Promise<Answer> {
  try {
    if (order.kind === 'sign') return await sign(order);
    const inspection = await inspect(order.bytes, order.trust, { engine, decode });
    return { kind: 'inspected', inspection, held: process.memoryUsage.rss() };
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    return faultAnswer(error, process.memoryUsage.rss());
  }
}

async function sign(order: Extract<Order, { kind: 'sign' }>): Promise<Answer> {
  const { mediaType } = acceptedHeader(order.bytes);
  const signer = { algorithm: order.algorithm, size: order.signatureSize, sign: askForSignature };
  const bytes = await signImage(blobOf(order.bytes), mediaType, order.manifest, signer).catch(
    (error: unknown) => {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      throw new ImageFault('undecodable', boundedText(String(error)));
    },
  );
  const report = await engine.read(bytes, mediaType, { name: '', date: '', anchorsPem: '' });
  return { kind: 'signed', bytes, report, held: process.memoryUsage.rss() };
}

function askForSignature(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    onSignature = (cose) => resolve(new Uint8Array(cose));
    answer({ kind: 'claim', claim });
  });
}
