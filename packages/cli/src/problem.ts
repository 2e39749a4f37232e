import type { AnswerError, ProblemError } from '@touchstone/contract/client';
import { CliError, cannotTell, EXIT } from './cli-error.ts';

/** A sentence and a next step for whatever the service answered that is no success. */
export function errorOfAnswer(error: AnswerError, serviceUrl: string): CliError {
  if (!isProblem(error)) {
    return cannotTell(
      `What answers at ${serviceUrl} is not the service, or one of another version: ${error.message}`,
      'Check --service URL (or TOUCHSTONE_SERVICE).',
      error,
    );
  }
  if (error.status === 422 && error.problem === undefined) {
    const message = `The service refuses the request:\n${error.faults.map(faultLine).join('\n')}`;
    return new CliError(message, { exitCode: EXIT.usage, cause: error });
  }
  return cannotTell(`${error.detail} (${error.code})`, nextStep(error, serviceUrl), error);
}

function isProblem(error: AnswerError): error is ProblemError {
  return 'code' in error;
}

function nextStep(
  { status, code, problem, retryAfter }: ProblemError,
  serviceUrl: string,
): string | undefined {
  if (status === 401 || status === 403) {
    return 'Give a key that may do this: --key or TOUCHSTONE_KEY. The operator’s is in operator.key of the data folder.';
  }
  if (status === 429 || status === 503) {
    return `Try again ${retryAfter === undefined ? 'in a while' : `in ${retryAfter} s`}.`;
  }
  if (code === 'route_unknown') return `${serviceUrl} is asked. Check --service (or TOUCHSTONE_SERVICE).`;
  if (code === 'shopify_not_connected') {
    return 'Connect it: touchstone connect shopify <store-id> --shop <name>.myshopify.com --client-id <id>';
  }
  const id = problem?.requestId;
  return status >= 500 && id !== undefined ? `The service's log has it as request ${id}.` : undefined;
}

/** `body.url: must be …, got "x"`, from one item of the validation body. */
function faultLine({ loc, msg, input }: ProblemError['faults'][number]): string {
  const got = input === undefined ? '' : `, got ${JSON.stringify(input).slice(0, 80)}`;
  return `  ${loc.length === 0 ? '' : `${loc.join('.')}: `}${msg}${got}`;
}

/** For a service from which no answer came. */
export function unreachable(serviceUrl: string, fault: unknown): CliError {
  return cannotTell(
    `The service at ${serviceUrl} does not answer (${reasonOf(fault)}).`,
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

/** Why a request failed: `fetch`, and whoever calls it, keep that in their `cause`. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.name === 'TimeoutError') return 'it took too long';
  if (fault.name === 'AbortError') return 'stopped';
  const { cause } = fault;
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  if (cause instanceof Error) return reasonOf(cause) || fault.message;
  if (code !== undefined) return NETWORK_WORDS[code] === undefined ? code : `${code}: ${NETWORK_WORDS[code]}`;
  return fault.message;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
