import { TOOL_CODES, type ToolCode } from '../codes.ts';
import type { ToolFault } from '../tools.ts';

/** Thrown by a tool for what its caller should be told. */
export class ToolError extends Error {
  readonly fault: ToolFault;

  constructor(fault: ToolFault) {
    super(`${fault.code}: ${fault.message}`);
    this.name = 'ToolError';
    this.fault = fault;
  }
}

/** One of the tools' own codes, with what there is to say beyond its sentence. */
export function toolError(
  code: ToolCode,
  more: Partial<Pick<ToolFault, 'message' | 'detail'>> = {},
): ToolError {
  return new ToolError({ code, message: TOOL_CODES[code], ...more });
}
