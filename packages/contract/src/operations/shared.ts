import { z } from 'zod';

/** Path of the specification's operations. */
export const PUBLIC_BASE = '/api/v1/mc4p';
/** Path of the operations of the registry. */
export const REGISTRY_BASE = '/api/v1/registry';

export const LD_JSON = 'application/ld+json';

export const NOT_MODIFIED = { description: 'The cached copy is still current.' } as const;

/** A UUID in the path, of any version: an id with other version bits is unknown (404) rather than malformed (422). */
export function uuidParameter(description: string) {
  return z.guid().meta({ description });
}

export const nextCursor = z
  .string()
  .optional()
  .meta({ description: 'Pass it as `cursor` to get the next page; absent on the last page.' });

/** Query of a list in the order of ids. */
export const PageQuerySchema = z.strictObject({
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;

/** An operation for browsers: not part of the OpenAPI document. */
export const BROWSER_OPERATION = {
  method: 'GET',
  tag: 'Operations',
  access: 'public',
  unlisted: true,
  anyQuery: true,
  errors: [],
} as const;

export const PAGE_REPLY = { 200: { description: 'A page.', mediaType: 'text/html' } } as const;
