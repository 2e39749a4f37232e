import { ImageVerificationResultSchema, ValidationErrorSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../platform/errors.ts';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457, as `problemAnswer` makes it. */
export const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'Link to the page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong this time, for a person to read.' }),
    code: z.enum(codes).meta({ description: 'Closed list; for programs.' }),
    requestId: z.string().meta({ description: 'Names this request in the logs.' }),
    errors: ValidationErrorSchema.shape.detail
      .optional()
      .meta({ description: 'Every fault of a body that is answered 400.' }),
    result: ImageVerificationResultSchema.optional(),
    expected: z.string().optional().meta({ description: 'What was compared with.' }),
    actual: z.string().optional().meta({ description: 'What was found instead.' }),
  })
  .meta({ id: 'Problem', description: 'Every fault but a validation one (RFC 9457).' });
