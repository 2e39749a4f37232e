import { ERROR_CODES, STATUS_OF } from '@touchstone/contract';

/** A response, from any client. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Milliseconds from the first byte sent to the last one received. */
  readonly ms: number;
}

/** The body of a JSON response. */
export const json = (answer: Answer) => JSON.parse(answer.body.toString()) as Record<string, unknown>;

export interface Promised {
  readonly baseUrl: string;
  /** Texts that no response may contain: keys, folders. */
  readonly secrets: readonly string[];
  readonly method?: string;
}

/** Internal details that a fault might disclose. */
const INNARDS =
  /\n\s+at \S+|node_modules|packages\/server\/src|kysely|postgres(ql)?:\/\/|violates \w+ constraint|invalid byte sequence|Cannot read propert|is not a function|out of range for type/;

/** Everything in a response that violates the common rules of responses (RFC 9457). */
function brokenPromises(answer: Answer, promised: Promised): string[] {
  const broken: string[] = [];
  const { status, headers } = answer;
  const text = answer.body.toString('utf8');
  // 501: history of a status list, which no service of ours has (draft-ietf-oauth-status-list-20)
  if (status >= 500 && status !== 501) broken.push(`answered ${status}`);
  if (headers['x-request-id'] === undefined) broken.push('no X-Request-Id');
  if (INNARDS.test(text)) broken.push(`shows innards: ${INNARDS.exec(text)?.[0]}`);
  if (promised.secrets.some((secret) => text.includes(secret))) broken.push('shows a secret');
  if ([404, 429].includes(status) || status >= 500) {
    if (headers['cache-control'] !== 'no-store') broken.push(`${status} is not no-store`);
  }
  if (status === 401 && headers['www-authenticate'] === undefined) broken.push('401 without a scheme');
  if (status === 405 && headers.allow === undefined) broken.push('405 without Allow');
  if (status === 429 && headers['retry-after'] === undefined) broken.push('429 without Retry-After');
  if (status >= 400 && promised.method !== 'HEAD') broken.push(...brokenBody(answer, text, promised));
  return broken;
}

/** The error in a page for browsers, which contains the same data for its script. */
function problemInPage(text: string): Record<string, unknown> | undefined {
  const data = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text)?.[1];
  return parsed(data ?? '')?.problem as Record<string, unknown> | undefined;
}

function brokenBody(answer: Answer, text: string, promised: Promised): string[] {
  if (answer.headers['content-type'] === 'text/html; charset=utf-8') {
    const problem = problemInPage(text);
    if (problem === undefined) return [`a page of a ${answer.status} that does not say why`];
    return answer.status === 422 ? [] : brokenProblem(answer, problem, promised);
  }
  const body = parsed(text);
  if (body === undefined) return [`the body of a ${answer.status} is no JSON object: ${text.slice(0, 100)}`];
  const type = answer.headers['content-type'];
  if (answer.status === 422 && type === 'application/json') return brokenValidation(body);
  if (body.jsonrpc === '2.0' && type === 'application/json') return brokenRpc(body);
  if (type !== 'application/problem+json') return [`a ${answer.status} of type ${type}`];
  return brokenProblem(answer, body, promised);
}

/** An error of the tool server (JSON-RPC 2.0, section 5.1). */
function brokenRpc({ error }: Record<string, unknown>): string[] {
  const { code, message } = (error ?? {}) as Record<string, unknown>;
  const isTold = Number.isInteger(code) && typeof message === 'string' && message !== '';
  return isTold ? [] : [`a JSON-RPC error ${JSON.stringify(error)}`];
}

const PROBLEM_KEYS = 'code,detail,requestId,status,title,type';
/** Additional members of some errors. */
const FURTHER_KEYS = ['errors', 'result', 'expected', 'actual', 'storeId', 'productId'];

function brokenProblem(answer: Answer, body: Record<string, unknown>, promised: Promised): string[] {
  const broken: string[] = [];
  const keys = Object.keys(body)
    .filter((key) => !FURTHER_KEYS.includes(key))
    .toSorted()
    .join();
  if (keys !== PROBLEM_KEYS) broken.push(`a problem with ${keys}`);
  const { type, title, status, detail, code, requestId } = body;
  if (typeof title !== 'string' || title === '') broken.push('a problem without a title');
  if (typeof detail !== 'string' || detail === '') broken.push('a problem without detail');
  if (status !== answer.status) broken.push(`a problem of status ${status} in a ${answer.status}`);
  if (requestId !== answer.headers['x-request-id']) broken.push('another request id in body and header');
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code)) broken.push(`code ${code}`);
  else {
    if (STATUS_OF[code as keyof typeof STATUS_OF] !== answer.status)
      broken.push(`${code} as ${answer.status}`);
    if (type !== `${promised.baseUrl}/docs/codes#${code}`) broken.push(`type ${type}`);
  }
  return broken;
}

const ENTRY_KEYS = new Set(['loc', 'msg', 'type', 'input', 'ctx']);
/** Maximum characters of repeated input, not counting escapes and quotes. */
const MAX_INPUT = 200;

/** Spec "Validation error body". */
function brokenValidation(body: Record<string, unknown>): string[] {
  if (Object.keys(body).join() !== 'detail' || !Array.isArray(body.detail) || body.detail.length === 0) {
    return ['a validation body without a list of details'];
  }
  return body.detail.flatMap((entry: Record<string, unknown>) => {
    const broken = Object.keys(entry)
      .filter((key) => !ENTRY_KEYS.has(key))
      .map((key) => `an entry with ${key}`);
    const { loc, msg, type, input } = entry;
    const isPlace = (part: unknown) => typeof part === 'string' || typeof part === 'number';
    if (!Array.isArray(loc) || !loc.every(isPlace)) broken.push(`loc ${JSON.stringify(loc)}`);
    else if (type !== 'too_many_faults' && !['path', 'query', 'body'].includes(String(loc[0])))
      broken.push(`loc begins with ${loc[0]}`);
    if (typeof msg !== 'string' || msg === '') broken.push('an entry without msg');
    if (typeof type !== 'string' || !/^[a-z_]+$/.test(type)) broken.push(`type ${type}`);
    const size = typeof input === 'string' ? input.length : JSON.stringify(input ?? '').length;
    if (size > MAX_INPUT) broken.push(`repeats ${size} characters`);
    return broken;
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the responses of a run, and collects violations. */
export class Tally {
  readonly broken: string[] = [];
  #classes = new Map<string, number>();
  #worst = 0;
  #count = 0;
  readonly #since = performance.now();

  note(answer: Answer, promised: Promised, asked: string): void {
    this.#count += 1;
    const kind = `${Math.floor(answer.status / 100)}xx`;
    this.#classes.set(kind, (this.#classes.get(kind) ?? 0) + 1);
    this.#worst = Math.max(this.#worst, answer.ms);
    for (const what of brokenPromises(answer, promised)) this.wrong(`${what}  <-  ${asked}`);
  }

  /** Adds another violation; only the first hundred are kept. */
  wrong(what: string): void {
    if (this.broken.length < 100) this.broken.push(what.slice(0, 500));
  }

  get count(): number {
    return this.#count;
  }

  summary(): string {
    const classes = [...this.#classes].toSorted().map(([kind, count]) => `${kind} ${count}`);
    const seconds = (performance.now() - this.#since) / 1000;
    const rate = Math.round(this.#count / seconds);
    return `${this.#count} requests (${classes.join(', ')}), ${rate}/s, worst ${Math.round(this.#worst)} ms, ${this.broken.length} wrong`;
  }
}
