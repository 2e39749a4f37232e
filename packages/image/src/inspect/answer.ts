import type { TrustList } from '../manifest/report.ts';
import { ImageFault } from './fault.ts';
import type { FaultAnswer } from './messages.ts';

export interface OpenerLimits {
  /** Megabytes: of the whole process in Node, of the engine's WebAssembly in a browser. */
  readonly memoryMb: number;
  /** Milliseconds that one image may take. */
  readonly timeoutMs: number;
}

/**
 * Refuses options that no compiler looked at: they would look like images that break what opens them.
 *
 * @throws TypeError naming what is wrong
 */
export function checkOptions(limits: OpenerLimits, trust: TrustList | undefined): void {
  for (const name of ['memoryMb', 'timeoutMs'] as const)
    if (!(limits[name] > 0)) throw new TypeError(`${name} must be a number above 0.`);
  if (typeof trust?.anchorsPem !== 'string')
    throw new TypeError(
      "trust must be a list of signers: nobody is { name: 'nobody', date: '2026-01-01', anchorsPem: '' }.",
    );
}

/** The opener that an answer is waited for. */
interface Answering extends OpenerLimits {
  /** Resolves when it has ended. */
  readonly gone: Promise<void>;
  end(): Promise<void>;
}

/** Part of the memory that may stay in use between images. */
const REST_SHARE = 0.6;

/**
 * What an opener answered. One that takes too long is ended, and so is one that holds too much memory at rest.
 *
 * @throws ImageFault that it answered, timed_out, worker_died
 */
export async function answerOf<A extends { readonly held: number }>(
  answered: Promise<A | FaultAnswer>,
  { memoryMb, timeoutMs, gone, end }: Answering,
): Promise<A> {
  const answer = await within(timeoutMs, answered, gone);
  if (typeof answer === 'string') {
    await end();
    throw new ImageFault(answer);
  }
  if (answer.held > memoryMb * 1_000_000 * REST_SHARE) void end();
  if (isFault(answer)) throw new ImageFault(answer.code, answer.detail);
  return answer;
}

function isFault(answer: object): answer is FaultAnswer {
  return 'kind' in answer && answer.kind === 'fault';
}

/** What an opener answers instead of what it was asked for. */
export function faultAnswer({ code, detail }: ImageFault, held: number): FaultAnswer {
  return { kind: 'fault', code, ...(detail === undefined ? {} : { detail }), held };
}

/** What comes first: the answer, the end of the time, or that of the opener. */
export async function within<T>(
  ms: number,
  answered: Promise<T>,
  gone: Promise<void>,
): Promise<T | 'timed_out' | 'worker_died'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'timed_out'>((resolve) => {
    timer = setTimeout(resolve, ms, 'timed_out');
  });
  const died = gone.then(() => 'worker_died' as const);
  try {
    return await Promise.race([answered, late, died]);
  } finally {
    clearTimeout(timer);
  }
}

/** `Promise.withResolvers`, which Node 20 has not. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
