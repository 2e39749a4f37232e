import { z } from 'zod';

/** Of lists in the order of ids. */
export const PageQuerySchema = z.object({
  cursor: z.uuid().optional().meta({ description: 'nextCursor of the page before.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
