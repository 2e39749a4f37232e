import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { AppendFile } from './io.ts';

/** The bytes of a file, in pieces of a megabyte. */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* createReadStream(path, { highWaterMark: 1024 * 1024 });
}

export async function appendTo(path: string): Promise<AppendFile> {
  const file = await open(path, 'a');
  const { size } = await file.stat();
  return {
    size,
    truncate: (to) => file.truncate(to),
    append: (text) => file.appendFile(text),
    close: () => file.close(),
  };
}
