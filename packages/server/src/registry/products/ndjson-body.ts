import type { RowLine } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { joinLines, type Ndjson, renderLines } from '../../platform/http/rendered-document.ts';
import type { Registry } from '../context.ts';
import { readNdjson } from './read-rows.ts';
import { upsertStream } from './upsert.ts';

/**
 * Reads NDJSON and answers NDJSON, one result a line, in order. The answer begins when the body has been read:
 * most clients read nothing before they have sent everything. A fault in the midst of it is told in a last
 * line, since the rows answered for are written.
 */
export async function upsertNdjson(
  registry: Registry,
  scope: Scope,
  storeId: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Ndjson<RowLine>> {
  const parts: Ndjson<RowLine>[] = [];
  try {
    for await (const results of upsertStream(registry, scope, storeId, readNdjson(body))) {
      parts.push(renderLines<RowLine>(results));
    }
  } catch (error) {
    if (parts.length === 0 || !(error instanceof ServiceError)) throw error;
    const { code, publicMessage: detail } = error;
    parts.push(renderLines<RowLine>([{ status: 'aborted', code, detail }]));
  }
  return joinLines(parts);
}
