import type { InputOf, Operation, ReplyOf } from '@touchstone/contract';
import type { AnswerError } from '@touchstone/contract/client';
import { type CliError, cannotTell } from './cli-error.ts';
import type { NameOf } from './input-names.ts';
import type { Io } from './io.ts';
import { errorOfAnswer, reasonOf, unreachable } from './problem.ts';

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string;
  readonly io: Pick<Io, 'fetch' | 'sleep' | 'stop'>;
  /** What a member of a request is called on the command line. */
  readonly nameOf?: NameOf;
  /** How often one call is made at the most. */
  readonly attempts?: number;
  /** Called before each wait; for progress. */
  readonly onRetry?: (reason: string, milliseconds: number) => void;
}

type Contract = typeof import('@touchstone/contract');
type OperationId = {
  [K in keyof Contract]: Contract[K] extends Operation ? K : never;
}[keyof Contract];

/** Talks to one service. */
export interface ServiceClient {
  readonly baseUrl: string;
  /**
   * Makes one call of the contract, again where it failed for what passes.
   *
   * @returns the body of the reply
   * @throws CliError with a sentence for everything else; its cause is the contract's own error
   */
  call<Id extends OperationId>(
    id: Id,
    input: InputOf<Contract[Id]>,
    options?: { readonly idempotencyKey?: string },
  ): Promise<ReplyOf<Contract[Id]>['body']>;
}

/** Milliseconds for one attempt. */
const TIMEOUT = 60_000;
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Milliseconds between attempts, unless the service asks for more. */
const LONGEST_WAIT = 30_000;
/** Seconds; who asks for more is not waited for. */
const LONGEST_ASKED = 3600;

/**
 * Makes a client that rides out what passes: lost connections, 429 and 503, with doubling waits from half a second to
 * 30 s, and never shorter ones than Retry-After says (an hour at most). With more than one attempt, a 429 that says
 * when to come back is no failed attempt: the service works, and keeps to its limits.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, key, io, nameOf, attempts = 1 } = options;
  return {
    baseUrl,
    async call(id, input, { idempotencyKey } = {}) {
      // loaded only when asked for: offline commands start without the schemas
      const [contract, { AnswerError, createClient }] = await Promise.all([
        import('@touchstone/contract'),
        import('@touchstone/contract/client'),
      ]);
      const client = createClient({
        baseUrl,
        fetch: io.fetch,
        ...(key === undefined ? {} : { apiKey: key }),
      });
      for (let attempt = 1; ; ) {
        const signal = AbortSignal.any([io.stop, AbortSignal.timeout(TIMEOUT)]);
        const callOptions = { signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        try {
          return (await client.call(contract[id], input, callOptions)).body;
        } catch (error) {
          if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
          const answer = error instanceof AnswerError ? error : undefined;
          const { isFinal, isLimit } = judge(error, answer, attempt, attempts);
          if (isFinal)
            throw answer === undefined ? unreachable(baseUrl, error) : errorOfAnswer(answer, baseUrl, nameOf);
          await pause(options, error, answer, attempt);
          if (!isLimit) attempt++;
        }
      }
    },
  };
}

/** The error of the contract's client that a command ended with; `undefined` for any other. */
export function answerOf(error: CliError): AnswerError | undefined {
  return error.cause instanceof Error && 'status' in error.cause ? (error.cause as AnswerError) : undefined;
}

function judge(error: unknown, answer: AnswerError | undefined, attempt: number, attempts: number) {
  const isLast = attempt >= attempts;
  if (answer === undefined) return { isFinal: isLast || !mayPass(error), isLimit: false };
  const { status, retryAfter } = answer;
  const isLimit = status === 429 && retryAfter !== undefined && attempts > 1;
  const isFinal =
    !TRANSIENT.has(status) ||
    (isLast && !isLimit) ||
    (retryAfter !== undefined && retryAfter > LONGEST_ASKED);
  return { isFinal, isLimit };
}

/** Waiting changes nothing about a wrong address or an untrusted certificate. */
function mayPass(error: unknown): boolean {
  return !/^(ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|bad port|unexpected redirect)/.test(
    reasonOf(error),
  );
}

async function pause(
  { io, onRetry }: ServiceClientOptions,
  error: unknown,
  answer: AnswerError | undefined,
  attempt: number,
): Promise<void> {
  const doubling = Math.min(500 * 2 ** (attempt - 1), LONGEST_WAIT);
  const wait = Math.max(doubling, (answer?.retryAfter ?? 0) * 1000);
  onRetry?.(answer === undefined ? reasonOf(error) : `answered ${answer.status}`, wait);
  await io.sleep(wait);
}
