import { STATUS_OF } from '@touchstone/contract';
import type { ToolFault } from '@touchstone/contract/tools';
import { toServiceError } from '../../platform/errors.ts';

/** Anything that a use case threw as an error of a tool; `onFault` receives faults on our side, for the log. */
export function createToolFaultOf(onFault: (error: unknown) => void): (error: unknown) => ToolFault {
  return (error) => {
    const { code, publicMessage: message, retryAfter } = toServiceError(error);
    if (STATUS_OF[code] >= 500) onFault(error);
    return { code, message, ...(retryAfter === undefined ? {} : { retryAfter }) };
  };
}
