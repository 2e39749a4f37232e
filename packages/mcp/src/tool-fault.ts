import { TOOL_CODES, type ToolCode } from '@touchstone/contract/codes';
import type { ToolFault } from '@touchstone/contract/tools';

/** Thrown by a tool for a fault that is reported to the caller. */
export class ToolError extends Error {
  readonly fault: ToolFault;

  constructor(fault: ToolFault) {
    super(`${fault.code}: ${fault.message}`);
    this.name = 'ToolError';
    this.fault = fault;
  }
}

/** A fault with one of the tools' own codes; `more` overrides its message or adds detail. */
export function toolError(
  code: ToolCode,
  more: Partial<Pick<ToolFault, 'message' | 'detail'>> = {},
): ToolError {
  return new ToolError({ code, message: TOOL_CODES[code], ...more });
}
