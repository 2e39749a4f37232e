import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../core/images/blobs/folder-blobs.ts';
import { makeFolder } from '../../platform/lifecycle/make-folder.ts';
import { type Destination, MARK } from './destination.ts';

/** What is being written; not served by servers that leave out names with a dot, and complete nowhere else. */
const INCOMING = '.incoming';

/** Headers of the files in the format that several static hosts read (Cloudflare Pages, Netlify). */
const HEADERS = `/api/v1/mc4p/products/*
  Content-Type: application/ld+json
  Cache-Control: public, max-age=86400
  Access-Control-Allow-Origin: *
/api/v1/mc4p/certificates/by-page/*
  Content-Type: application/json
  Cache-Control: public, max-age=86400
  Access-Control-Allow-Origin: *
/api/v1/.well-known/*
  Content-Type: application/json
  Cache-Control: public, max-age=3600
  Access-Control-Allow-Origin: *
`;

/** Copies as files, readable by a web server that runs as another user. */
export function openFolder(folder: string): Destination {
  const write = async (path: string, bytes: Uint8Array) => {
    const incoming = join(folder, INCOMING);
    for (const needed of [dirname(join(folder, path)), incoming]) await makeFolder(needed, 0o755);
    await writeAtomically(join(folder, path), bytes, {
      temporary: join(incoming, randomUUID()),
      mode: 0o644,
    });
  };
  return {
    put: (path, { bytes }) => write(path, bytes),
    remove: (path) => rm(join(folder, path), { force: true }),
    readMark: () => unlessMissing(readFile(join(folder, MARK), 'utf8')),
    async writeMark(text) {
      await write('_headers', Buffer.from(HEADERS));
      await write(MARK, Buffer.from(text));
    },
    isEmpty: async () => ((await unlessMissing(readdir(folder))) ?? []).length === 0,
    close() {},
  };
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
