import type { InputOf, Operation, ReplyOf } from '@touchstone/contract';
import type { AnswerError, Client } from '@touchstone/contract/client';
import type { Credential } from '@touchstone/fetch/credential';
import { type CliError, cannotTell } from './cli-error.ts';
import type { NameOf } from './input-names.ts';
import type { Io } from './io.ts';
import { errorOfAnswer, reasonOf, unreachable } from './problem.ts';

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** With the API key. */
  readonly credential?: Credential;
  readonly io: Pick<Io, 'fetch' | 'sleep' | 'stop'>;
  /** Maps a member of a request to its name on the command line. */
  readonly nameOf?: NameOf;
  /** Maximum number of attempts per call. */
  readonly attempts?: number;
  /** Called before each wait, to show progress. */
  readonly onRetry?: (reason: string, milliseconds: number) => void;
}

type Contract = typeof import('@touchstone/contract');
type OperationId = {
  [K in keyof Contract]: Contract[K] extends Operation ? K : never;
}[keyof Contract];

/** A client of one service. */
export interface ServiceClient {
  readonly baseUrl: string;
  /**
   * Calls an operation of the contract and retries transient failures.
   *
   * @returns the response body
   * @throws CliError for any other outcome; its cause is the error of the contract's client
   */
  call<Id extends OperationId>(
    id: Id,
    input: InputOf<Contract[Id]>,
    options?: { readonly idempotencyKey?: string },
  ): Promise<ReplyOf<Contract[Id]>['body']>;
  /** The same for the other form of a response, as text. */
  text<Id extends OperationId>(id: Id, input: InputOf<Contract[Id]>, alsoAs: string): Promise<string>;
}

/** Timeout of one attempt, in milliseconds. */
const TIMEOUT = 60_000;
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Longest wait between attempts in milliseconds, unless the service asks for a longer one. */
const LONGEST_WAIT = 30_000;
/** Longest `Retry-After` that is honoured, in seconds; a longer one fails the call. */
const LONGEST_ASKED = 3600;

/**
 * Creates a client that retries lost connections, 429 and 503, with waits that double from half a second to 30 s and are never shorter than
 * `Retry-After` (at most an hour). If several attempts are allowed, a 429 with `Retry-After` does not count as one: the service works and
 * enforces its limits.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, credential, io, nameOf, attempts = 1 } = options;

  const tried = async <T>(
    ask: (client: Client, contract: Contract, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    // loaded on demand: offline commands start without the schemas
    const [contract, { AnswerError, createClient }] = await Promise.all([
      import('@touchstone/contract'),
      import('@touchstone/contract/client'),
    ]);
    const client = createClient({
      baseUrl,
      fetch: io.fetch,
      ...(credential === undefined ? {} : { credential }),
    });
    for (let attempt = 1; ; ) {
      const signal = AbortSignal.any([io.stop, AbortSignal.timeout(TIMEOUT)]);
      try {
        return await ask(client, contract, signal);
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
  };

  return {
    baseUrl,
    call: (id, input, { idempotencyKey } = {}) =>
      tried(async (client, contract, signal) => {
        const callOptions = { signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
        return (await client.call(contract[id], input, callOptions)).body;
      }),
    text: (id, input, alsoAs) =>
      tried((client, contract, signal) => client.text(contract[id], input, alsoAs, { signal })),
  };
}

/** The contract client's error that caused this one, if any. */
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

/** Whether a retry may help; it does not for a wrong address or an untrusted TLS certificate. */
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
