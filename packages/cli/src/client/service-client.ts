import { cannotTell } from '../cli-error.ts';
import type { Io } from '../io.ts';
import { errorOfAnswer, type ServiceAnswer } from './problem.ts';

export interface ServiceClientOptions {
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  readonly key?: string;
  readonly io: Pick<Io, 'fetch' | 'sleep' | 'stop'>;
  /** How often one call is made at the most. */
  readonly attempts?: number;
  /** Told before each wait; for progress. */
  readonly onRetry?: (reason: string, milliseconds: number) => void;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under the base address. */
  readonly path: string;
  readonly body?: unknown;
  /** Makes a POST safe to send again. */
  readonly idempotencyKey?: string;
  /** Milliseconds for one attempt. */
  readonly timeout?: number;
}

/** Talks to one service. */
export interface ServiceClient {
  readonly baseUrl: string;
  /** Parsed JSON of a 2xx answer. @throws CliError with a sentence for everything else */
  request(request: ServiceRequest): Promise<unknown>;
  /** As `request`, but hands over answers outside 2xx too. */
  answer(request: ServiceRequest): Promise<ServiceAnswer>;
}

const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** Milliseconds between attempts, unless the service asks for more. */
const LONGEST_WAIT = 30_000;
/** Seconds; who asks for more is not waited for. */
const LONGEST_ASKED = 3600;

/**
 * Makes a client that rides out what passes: lost connections, 429 and 503, with doubling waits from half a second to
 * 30 s, and never shorter ones than Retry-After says (an hour at most). With more than one attempt, a 429 that says when to come back is
 * no failed attempt: the service works, and keeps to its limits.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, attempts = 1 } = options;
  const answer = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    for (let attempt = 1; ; ) {
      const outcome = await send(request, options);
      if (options.io.stop.aborted) throw cannotTell('Stopped.');
      const last = attempt >= attempts;
      if ('fault' in outcome) {
        if (last || !mayPass(outcome.fault)) throw unreachable(baseUrl, outcome.fault);
        await pause(options, String(reasonOf(outcome.fault)), attempt++);
        continue;
      }
      const { status, retryAfter } = outcome;
      const isLimit = status === 429 && retryAfter !== undefined && attempts > 1;
      if (!TRANSIENT.has(status) || (last && !isLimit) || (retryAfter ?? 0) > LONGEST_ASKED) return outcome;
      await pause(options, `answered ${status}`, isLimit ? attempt : attempt++, retryAfter);
    }
  };
  return {
    baseUrl,
    answer,
    async request(request) {
      const got = await answer(request);
      if (got.status < 200 || got.status > 299 || got.body === undefined) {
        throw errorOfAnswer(got, baseUrl, `${request.method} ${request.path}`);
      }
      return got.body;
    },
  };
}

async function send(
  request: ServiceRequest,
  { baseUrl, key, io }: ServiceClientOptions,
): Promise<ServiceAnswer | { readonly fault: unknown }> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey;
  try {
    const response = await io.fetch(`${baseUrl}${request.path}`, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: AbortSignal.any([io.stop, AbortSignal.timeout(request.timeout ?? 60_000)]),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      body: parseJson(await response.text()),
      ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    };
  } catch (fault) {
    return { fault };
  }
}

async function pause(
  { io, onRetry }: ServiceClientOptions,
  reason: string,
  attempt: number,
  retryAfter?: number,
): Promise<void> {
  const doubling = Math.min(500 * 2 ** (attempt - 1), LONGEST_WAIT);
  const wait = Math.max(doubling, (retryAfter ?? 0) * 1000);
  onRetry?.(reason, wait);
  await io.sleep(wait);
}

function unreachable(baseUrl: string, fault: unknown): Error {
  return cannotTell(
    `The service at ${baseUrl} does not answer (${reasonOf(fault)}).`,
    'Start it with: touchstone serve. Or name another one: --service URL, or TOUCHSTONE_SERVICE.',
    fault,
  );
}

/** What codes of the network mean to somebody who types an address. */
const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ECONNRESET: 'the connection broke',
  ETIMEDOUT: 'it took too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there',
};

/** Waiting changes nothing about a wrong address or an untrusted certificate. */
function mayPass(fault: unknown): boolean {
  return !/^(ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|bad port|unexpected redirect)/.test(
    reasonOf(fault),
  );
}

/** fetch hides why behind a `cause`; that is the part that helps. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.name === 'TimeoutError') return 'it took too long';
  if (fault.name === 'AbortError') return 'stopped';
  const { cause } = fault;
  if (!(cause instanceof Error)) return fault.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  if (code !== undefined) return NETWORK_WORDS[code] === undefined ? code : `${code}: ${NETWORK_WORDS[code]}`;
  return cause.message === '' ? fault.message : cause.message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
