import type { Logger } from 'pino';
import { type ServiceError, toServiceError } from '../errors.ts';
import { problemAnswer } from './problem.ts';
import type { Reply } from './route.ts';
import { ValidationFault } from './validation/validate.ts';

export interface FaultContext {
  readonly baseUrl: string;
  readonly logger: Logger;
}

/** The answer to a request that failed, because of the request or on our side; faults on our side are logged. */
export function faultReply(error: unknown, requestId: string, { baseUrl, logger }: FaultContext): Reply {
  if (error instanceof ValidationFault) {
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return { status: 422, headers, body: { detail: error.detail } };
  }
  const fault = toServiceError(error);
  const answer = problemAnswer(fault, { baseUrl, requestId });
  // not our fault: 501, which anybody can ask for; refusals under overload are counted in the metrics: logging each would take more time
  // than refusing it saves
  const isFault = answer.status >= 500 && answer.status !== 501 && fault.code !== 'overloaded';
  if (isFault) logFault(fault, answer.status, requestId, logger);
  return answer;
}

function logFault(fault: ServiceError, status: number, requestId: string, logger: Logger): void {
  const line = { requestId, code: fault.code, err: fault };
  // 503 is transient; 500 is a bug
  if (status === 503) logger.warn(line, fault.publicMessage);
  else logger.error(line, fault.publicMessage);
}
