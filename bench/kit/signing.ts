import { generateKeyPairSync, sign } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const signOffThread = promisify(sign);
const SIGNATURES = 4_000;

/** Bare RSA-2048 signatures per second on all cores, by node:crypto on its threads: the upper limit of issuing. */
export async function signaturesPerSecond(): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bytes = Buffer.alloc(900, 'x');
  const begun = performance.now();
  let left = SIGNATURES;
  const worker = async () => {
    while (left-- > 0) await signOffThread('sha256', bytes, privateKey);
  };
  await Promise.all(Array.from({ length: 8 * availableParallelism() }, worker));
  return SIGNATURES / ((performance.now() - begun) / 1_000);
}
