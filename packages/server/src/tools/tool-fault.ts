import type { ErrorCode } from '@touchstone/contract';
import { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';
import { TOOL_CODES, type ToolCode } from './codes.ts';

/** A fault as a tool answers it: data with a code, never a broken call (decision 24). */
export const ToolFaultSchema = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'From a closed list: the tool explain_code tells more.' }),
      message: z.string(),
      retryAfter: z.number().optional().meta({ description: 'Seconds after which a retry makes sense.' }),
      detail: z
        .array(
          z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() }),
        )
        .optional()
        .meta({ description: 'Each fault of the arguments.' }),
    }),
  })
  .meta({ id: 'ToolFault', description: 'Why the tool could not answer.' });

export type ToolFault = z.infer<typeof ToolFaultSchema>['error'];

/** Thrown by a tool, or by the use cases behind it, for what the caller should be told. */
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

/** Whatever was thrown, as a fault; `onFault` hears of what nobody foresaw. */
export function toolFault(error: unknown, onFault: (error: unknown) => void): ToolFault {
  if (error instanceof ToolError) return error.fault;
  const known = error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
  if (OURS.has(known.code)) onFault(error);
  const { code, publicMessage: message, retryAfter } = known;
  return { code, message, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** Trouble on our side, which the log must hear of. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  'database_unavailable',
  'signer_unavailable',
  'keys_unavailable',
  'network_unavailable',
  'internal',
]);
