import { writeOutUnseen as safe } from '@touchstone/certificate/text';
import type { AnswerError, ContradictionError, ProblemError } from '@touchstone/contract/client';
import { CliError, cannotTell, type ErrorDetails, EXIT } from './cli-error.ts';
import { inputName, type NameOf } from './input-names.ts';

/**
 * Turns an error response of the service into a message with a hint.
 *
 * @param nameOf - maps a member of the request to its name on the command line
 */
export function errorOfAnswer(error: AnswerError, serviceUrl: string, nameOf: NameOf = inputName): CliError {
  if (isContradiction(error)) {
    return cannotTell(
      'service_contradicts_itself',
      `No verdict: the service contradicts itself. ${error.contradictions.join(' ')}`,
      `Do not rely on ${serviceUrl}. To verify a page without it: touchstone verify <page> --issuer <url>`,
      error,
    );
  }
  if (!isProblem(error)) {
    return cannotTell(
      'service_not_understood',
      `The response from ${serviceUrl} is not from the service, or from another version of it: ${safe(error.message)}`,
      'Check --service URL (or TOUCHSTONE_SERVICE).',
      error,
    );
  }
  const { status, code, problem, retryAfter, faults } = error;
  const details: ErrorDetails = {
    requestId: problem?.requestId,
    retryAfter,
    errors: faults.length === 0 ? undefined : faults.map((fault) => named(fault, nameOf)),
  };
  if (status === 422 && problem === undefined) {
    const message = `The service rejected the input:\n${details.errors?.map(faultLine).join('\n')}`;
    return new CliError(message, { exitCode: EXIT.usage, code, hint: idHint(faults), details, cause: error });
  }
  return new CliError(safe(`${error.detail} (${code})`), {
    exitCode: isWrongInput(error) ? EXIT.usage : EXIT.cannotTell,
    code,
    hint: nextStep(error, serviceUrl),
    details,
    cause: error,
  });
}

function isContradiction(error: AnswerError): error is ContradictionError {
  return 'contradictions' in error;
}

export function isProblem(error: AnswerError): error is ProblemError {
  return 'code' in error;
}

/** 422 problems whose cause is not what the user typed: a third party's refusal; a key that this program made. */
const NOT_TYPED: readonly ProblemError['code'][] = ['shopify_refused', 'idempotency_key_reused'];

/** Whether the service rejected a value that the user typed, such as a cursor of another list or a webhook address without https. */
function isWrongInput({ status, code }: ProblemError): boolean {
  return status === 400 || (status === 422 && !NOT_TYPED.includes(code));
}

function nextStep(
  { status, code, problem, retryAfter }: ProblemError,
  serviceUrl: string,
): string | undefined {
  if (status === 401 || status === 403) {
    return 'Give a key with this permission: --key or TOUCHSTONE_KEY. The operator key is in operator.key of the data folder.';
  }
  if (status === 429 || status === 503) {
    return `Try again ${retryAfter === undefined ? 'in a while' : `in ${retryAfter} s`}.`;
  }
  if (code === 'route_unknown')
    return `The service used is ${serviceUrl}. Check --service (or TOUCHSTONE_SERVICE).`;
  if (code === 'shopify_not_connected') {
    return 'Connect it: touchstone connect shopify <store-id> --shop <name>.myshopify.com --client-id <id>';
  }
  if (problem?.storeId !== undefined)
    return `Send products to it: touchstone import <file or address> --store ${problem.storeId}`;
  const list = status === 404 ? LISTS[code.replace(/_unknown$/, '')] : undefined;
  if (list !== undefined) return `To list those that the key may see: ${list}`;
  const id = problem?.requestId;
  return status >= 500 && id !== undefined ? `The service's log has it as request ${id}.` : undefined;
}

type Fault = ProblemError['faults'][number];
type NamedFault = NonNullable<ErrorDetails['errors']>[number];

function named({ loc, msg, input }: Fault, nameOf: NameOf): NamedFault {
  return { name: nameOf(loc), msg, input };
}

/** `--url: must be …, got "x"`. */
function faultLine({ name, msg, input }: NamedFault): string {
  const got = input === undefined ? '' : `, got ${JSON.stringify(input).slice(0, 80)}`;
  return safe(`  ${name}: ${msg}${got}`);
}

/** The command that lists the objects of an id. */
const LISTS: Readonly<Record<string, string>> = {
  store: 'touchstone stores list',
  merchant: 'touchstone merchants list',
  product: 'touchstone products list <store-id>',
  webhook: 'touchstone webhooks list',
};

/** Where to find ids, if one is malformed. */
function idHint(faults: readonly Fault[]): string | undefined {
  const ids = faults.filter(({ type }) => type === 'uuid_parsing').map(({ loc }) => String(loc.at(-1)));
  const list = LISTS[ids[0]?.replace(/_?id$/i, '') ?? ''];
  return list === undefined ? undefined : `To list the ids: ${list}`;
}

/** The error for a service that could not be reached. */
export function unreachable(serviceUrl: string, fault: unknown): CliError {
  return cannotTell(
    'service_unreachable',
    `The service at ${serviceUrl} does not answer (${reasonOf(fault)}).`,
    'Start it with: touchstone serve. Or use another one: --service URL, or TOUCHSTONE_SERVICE.',
    fault,
  );
}

/** What network error codes mean to users who typed an address. */
const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNRESET: 'the connection was interrupted',
  ETIMEDOUT: 'it took too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there',
};

/** Why a request failed, on one line: `fetch` and its callers keep that in `cause`. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return safe(String(fault));
  if (fault.name === 'TimeoutError') return 'it took too long';
  if (fault.name === 'AbortError') return 'stopped';
  const { cause } = fault;
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  if (cause instanceof Error) return reasonOf(cause) || safe(fault.message);
  if (code !== undefined) return NETWORK_WORDS[code] === undefined ? code : `${code}: ${NETWORK_WORDS[code]}`;
  return safe(fault.message);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
