import { z } from 'zod';

/** Where the calls of the specification stand. */
export const PUBLIC_BASE = '/api/v1/mc4p';
/** Where merchants and the operator keep what they have. */
export const REGISTRY_BASE = '/api/v1/registry';

export const LD_JSON = 'application/ld+json';

export const NOT_MODIFIED = { description: 'The copy at hand still holds.' } as const;

/**
 * A UUID in the path: any of the textual form, whatever its version bits say, since an id that nobody made is
 * unknown (404) rather than malformed (422).
 */
export function uuidParameter(description: string) {
  return z.guid().meta({ description });
}

export const nextCursor = z.string().optional().meta({ description: 'Absent on the last page.' });

/** Of lists in the order of ids. */
export const PageQuerySchema = z.strictObject({
  cursor: z.uuid().optional().meta({ description: 'nextCursor of the page before.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
