import { CliError, usage } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';

/** An answer of the service that is no success, as far as it can be understood. */
export interface ServiceAnswer {
  readonly status: number;
  /** Parsed JSON, or undefined where it was none. */
  readonly body: unknown;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** A sentence and a next step for whatever the service answered (decision 7). */
export function errorOfAnswer(answer: ServiceAnswer, serviceUrl: string, call: string): CliError {
  const { status, body } = answer;
  const members = isRecord(body) ? body : {};
  if (status === 422 && Array.isArray(members.detail)) {
    return usage(`The service refuses the request:\n${members.detail.map(issueLine).join('\n')}`);
  }
  const detail = text(members.detail) ?? text(members.title);
  if (detail === undefined) {
    return cannot(
      `What answers at ${serviceUrl} is not the service: ${call} gave ${status} without a problem body.`,
      'Check --service URL (or TOUCHSTONE_SERVICE).',
    );
  }
  const code = text(members.code);
  const told = `${detail}${code === undefined ? '' : ` (${code})`}`;
  if (status === 401 || status === 403) {
    return cannot(
      told,
      'Give a key that may do this: --key or TOUCHSTONE_KEY. The operator key is in the data folder.',
    );
  }
  if (status === 429 || status === 503) {
    const wait = answer.retryAfter === undefined ? 'in a while' : `in ${answer.retryAfter} s`;
    return cannot(told, `Try again ${wait}.`);
  }
  if (code === 'route_unknown')
    return cannot(told, `${serviceUrl} is asked. Check --service (or TOUCHSTONE_SERVICE).`);
  const id = text(members.requestId);
  if (status >= 500)
    return cannot(told, id === undefined ? undefined : `The service's log has it as request ${id}.`);
  return cannot(told);
}

/** `body.url: must be … (url_parsing)`, from one item of the validation body. */
function issueLine(item: unknown): string {
  const issue = isRecord(item) ? item : {};
  const loc = Array.isArray(issue.loc) ? issue.loc.map(String).join('.') : '';
  const input = issue.input === undefined ? '' : `, got ${JSON.stringify(issue.input).slice(0, 80)}`;
  return `  ${loc === '' ? '' : `${loc}: `}${text(issue.msg) ?? 'is not valid'}${input}`;
}

function cannot(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: EXIT.cannotTell, ...(hint === undefined ? {} : { hint }) });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
