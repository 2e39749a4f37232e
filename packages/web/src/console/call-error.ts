/** One validation error of a request that the service rejected. */
export interface Fault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** Kind of the error, one of `ROW_FAULTS` if it has a sentence in each language. */
  readonly type?: string;
}

interface CallErrorParts {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly faults?: readonly Fault[] | undefined;
  /** The store that exists already. */
  readonly storeId?: string | undefined;
}

/**
 * A failed call. `problem`: the service states the reason. `unreachable`: no response. `unexpected`: a response that is not the service's.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly kind: 'problem' | 'unreachable' | 'unexpected';
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly storeId: string | undefined;
  readonly faults: readonly Fault[];

  constructor(kind: CallError['kind'], message: string, parts: CallErrorParts = {}) {
    super(message);
    this.kind = kind;
    this.faults = parts.faults ?? [];
    this.status = parts.status;
    this.code = parts.code;
    this.requestId = parts.requestId;
    this.retryAfter = parts.retryAfter;
    this.storeId = parts.storeId;
  }
}

/** The error of an unsuccessful response. */
export async function errorOfAnswer(response: Response): Promise<CallError> {
  const { status, headers } = response;
  const body = await response.json().catch(() => undefined);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const parts: CallErrorParts = {
    status,
    requestId: textOf(body, 'requestId') ?? headers.get('x-request-id') ?? undefined,
    storeId: textOf(body, 'storeId'),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  };
  const code = textOf(body, 'code');
  const detail = textOf(body, 'detail');
  const faults = faultsOf(body);
  if (code !== undefined && detail !== undefined)
    return new CallError('problem', detail, { ...parts, code, faults });
  if (faults.length > 0) {
    const message = faults.map(({ msg }) => msg).join(' ');
    return new CallError('problem', message, { ...parts, code: 'validation_failed', faults });
  }
  return new CallError('unexpected', `${status} ${response.statusText}`.trim(), parts);
}

function textOf(body: unknown, name: string): string | undefined {
  const value = isRecord(body) ? body[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Validation errors of a 422 (`detail`), or of a problem about a body (`errors`). */
function faultsOf(body: unknown): Fault[] {
  if (!isRecord(body)) return [];
  const list = Array.isArray(body.errors) ? body.errors : body.detail;
  if (!Array.isArray(list)) return [];
  return list.filter(
    (item): item is Fault => isRecord(item) && typeof item.msg === 'string' && Array.isArray(item.loc),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
