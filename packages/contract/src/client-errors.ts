import type { Problem } from './errors.ts';
import type { ErrorDetail } from './validation/issues.ts';

/** An answer came, and it is not the one that was asked for. */
export class AnswerError extends Error {
  readonly status: number;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;

  constructor(message: string, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
    const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
    if (Number.isFinite(retryAfter)) this.retryAfter = retryAfter;
  }
}

/** A fault that the service reports, with its code; `validation_failed` for a request that is malformed. */
export class ProblemError extends AnswerError {
  readonly code: Problem['code'] | 'validation_failed';
  /** What is wrong, as a sentence. */
  readonly detail: string;
  /** The problem as it came; absent for a malformed request. */
  readonly problem?: Problem;
  /** Every fault of a malformed request, or of its body. */
  readonly faults: readonly ErrorDetail[];

  constructor(response: Response, answer: { problem: Problem } | { faults: readonly ErrorDetail[] }) {
    const isProblem = 'problem' in answer;
    const code = isProblem ? answer.problem.code : 'validation_failed';
    const detail = isProblem ? answer.problem.detail : 'The service refuses the request as malformed.';
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

/** What answers is not the service, or one that this client does not understand; never passed on as an answer. */
export class UnexpectedAnswerError extends AnswerError {
  override readonly name = 'UnexpectedAnswerError';
}

/** No answer came; the `cause` is what `fetch` said. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
