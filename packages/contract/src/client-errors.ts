import type { Problem } from './errors.ts';
import type { ErrorDetail } from './validation/issues.ts';

/** The response is an error, or not one that the operation defines. */
export class AnswerError extends Error {
  readonly status: number;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;

  constructor(message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
    if (Number.isFinite(retryAfter)) this.retryAfter = retryAfter;
  }
}

/** A fault reported by the service, with its code; `validation_failed` for a malformed request. */
export class ProblemError extends AnswerError {
  readonly code: Problem['code'] | 'validation_failed';
  /** The fault as a sentence. */
  readonly detail: string;
  /** The problem as received; absent for a malformed request. */
  readonly problem?: Problem;
  /** All faults of a malformed request or its body. */
  readonly faults: readonly ErrorDetail[];

  constructor(response: Response, answer: { problem: Problem } | { faults: readonly ErrorDetail[] }) {
    const isProblem = 'problem' in answer;
    const code = isProblem ? answer.problem.code : 'validation_failed';
    const detail = isProblem ? answer.problem.detail : 'The service rejected the request as malformed.';
    super(`${code}: ${detail}`, response);
    this.name = 'ProblemError';
    this.code = code;
    this.detail = detail;
    this.faults = isProblem
      ? ((answer.problem.errors as readonly ErrorDetail[] | undefined) ?? [])
      : answer.faults;
    if (isProblem) this.problem = answer.problem;
  }
}

/** The response is not from the service, or from a version that this client does not understand; never returned as a reply. */
export class UnexpectedAnswerError extends AnswerError {
  override readonly name = 'UnexpectedAnswerError';
}

/** The response contradicts the request or itself, so that nobody may rely on it; never returned as a reply. */
export class ContradictionError extends AnswerError {
  override readonly name = 'ContradictionError';
  /** What exactly, as sentences. */
  readonly contradictions: readonly string[];

  constructor(contradictions: readonly string[], response: Pick<Response, 'status' | 'headers'>) {
    super(`The service contradicts itself: ${contradictions.join(' ')}`, response);
    this.contradictions = contradictions;
  }
}

/** No response was received; `cause` is the error of `fetch`. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
