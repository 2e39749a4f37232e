import { z } from 'zod';
import { ServiceError } from '../../platform/errors.ts';
import type { Reply } from '../../platform/http/operation.ts';
import { PRIVATE } from '../common.ts';
import type { Registry, Scope } from '../context.ts';
import { MAX_ROWS, ProductRowSchema } from '../schema/product.ts';
import { readNdjson } from './read-rows.ts';
import { upsertStream } from './upsert.ts';

const { $schema: _, ...rowShape } = z.toJSONSchema(ProductRowSchema, { io: 'input' });

/**
 * The body as an array of anything, described as what its rows should be: each row is judged by itself, so that
 * a bad one costs the others nothing.
 */
export const ProductRowsSchema = z.array(z.unknown().meta({ ...rowShape, id: 'ProductRow' })).max(MAX_ROWS);

/**
 * Reads NDJSON and answers NDJSON, one result a line, in order. The answer begins when the body has been read:
 * most clients read nothing before they have sent everything. A fault in the midst of it is told in a last
 * line, since the rows answered for are written.
 */
export async function answerNdjson(
  registry: Registry,
  scope: Scope,
  storeId: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Reply> {
  const parts: Buffer[] = [];
  try {
    for await (const results of upsertStream(registry, scope, storeId, readNdjson(body))) {
      parts.push(Buffer.from(results.map((result) => `${JSON.stringify(result)}\n`).join('')));
    }
  } catch (error) {
    if (parts.length === 0 || !(error instanceof ServiceError)) throw error;
    const { code, publicMessage: detail } = error;
    parts.push(Buffer.from(`${JSON.stringify({ status: 'aborted', code, detail })}\n`));
  }
  const headers = { ...PRIVATE, 'content-type': 'application/x-ndjson' };
  return { status: 200, headers, body: Buffer.concat(parts) };
}
