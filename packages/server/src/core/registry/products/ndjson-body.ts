import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { RowLine } from '@touchstone/contract';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { type Ndjson, renderLines } from '../../../platform/http/rendered-document.ts';
import type { Registry } from '../context.ts';
import { readNdjson } from './read-rows.ts';
import { upsertStream } from './upsert.ts';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);
const FAST = { level: constants.Z_BEST_SPEED };

/**
 * Reads NDJSON and answers with NDJSON, one result per line, in order. The answer starts after the body has been read, because
 * most clients read nothing before they have sent everything. A fault in between is reported in the last line, since the
 * preceding rows have been written.
 *
 * Until then the results are kept compressed: those of a million rows take 170 MB, compressed a sixth of that.
 */
export async function upsertNdjson(
  registry: Registry,
  scope: Scope,
  storeId: string,
  body: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Ndjson<RowLine>>> {
  const parts: Uint8Array[] = [];
  const keep = async (lines: readonly RowLine[]) => {
    parts.push(await compress(renderLines(lines), FAST));
  };
  try {
    for await (const results of upsertStream(registry, scope, storeId, readNdjson(body))) {
      await keep(results);
    }
  } catch (error) {
    if (parts.length === 0 || !(error instanceof ServiceError)) throw error;
    const { code, publicMessage: detail } = error;
    await keep([{ status: 'aborted', code, detail }]);
  }
  return unpacked(parts);
}

async function* unpacked(parts: readonly Uint8Array[]): AsyncGenerator<Ndjson<RowLine>> {
  for (const part of parts) yield (await decompress(part)) as Uint8Array as Ndjson<RowLine>;
}
