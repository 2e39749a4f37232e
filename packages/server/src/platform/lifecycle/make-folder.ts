import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents; any number of calls may do so at once. Does not use `mkdir` with `recursive`, which
 * never returns if an existing parent does not accept folders, as in /proc.
 *
 * @throws Node's error for the folder that cannot be created
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const { code } = (await failureToMake(path, mode)) ?? {};
  if (code === undefined) return;
  const parent = dirname(path);
  if (code === 'ENOENT' && !(await isFolder(parent))) await makeFolder(parent, mode);
  // also if the parent is there: it may have been made meanwhile
  const failure = await failureToMake(path, mode);
  if (failure !== undefined) throw failure;
}

async function failureToMake(path: string, mode: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (!(await isFolder(path))) return error as NodeJS.ErrnoException;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
