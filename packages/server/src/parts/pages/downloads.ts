import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as contract from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import { documentReply, implement } from '../../platform/http/implement.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Route } from '../../platform/http/route.ts';

/** In the workspace, and in the published package. */
const FOLDER = resolve(import.meta.dirname, '../../../downloads');

/** By extension. */
const TYPES: Readonly<Record<string, string>> = { zip: 'application/zip', tgz: 'application/gzip' };

/**
 * The files that merchants install. They were made with the service (`scripts/packages/downloads.ts`), so that their versions fit; nothing
 * is made at a request.
 *
 * @param folder - without a `downloads.json` in it, the addresses answer 503 `pages_not_built`
 */
export function downloadRoutes(folder = FOLDER): Route[] {
  const list = join(folder, 'downloads.json');
  if (!existsSync(list))
    return [contract.listDownloads, contract.getDownload].map((one) => implement(one, notBuilt));
  const { downloads } = JSON.parse(readFileSync(list, 'utf8')) as contract.Downloads;
  const cached = { 'cache-control': contract.listDownloads.cacheControl };
  const document = renderDocument({ downloads }, { ...cached, 'content-type': 'application/json' });
  const sums = Buffer.from(downloads.map(({ sha256, file }) => `${sha256}  ${file}\n`).join(''));
  const fileReply = (sha256: string, body: Buffer, headers: Readonly<Record<string, string>>) =>
    ({ status: 200, headers: { ...cached, etag: `"${sha256}"`, ...headers }, body }) as const;
  return [
    implement(contract.listDownloads, async () => documentReply(document)),
    implement(contract.getDownload, async ({ params: { file } }) => {
      if (file === SUMS) return fileReply(hash(sums), sums, { 'content-type': 'text/plain; charset=utf-8' });
      const download = downloads.find((one) => one.file === file);
      if (download === undefined) throw new ServiceError('route_unknown');
      const [, name, extension = ''] = /^(.+)\.(\w+)$/.exec(file) ?? [];
      return fileReply(download.sha256, await readFile(join(folder, file)), {
        'content-type': TYPES[extension] ?? 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}-${download.version}.${extension}"`,
      });
    }),
  ];
}

const SUMS = 'SHA256SUMS';

async function notBuilt(): Promise<never> {
  throw new ServiceError('pages_not_built');
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
