import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Does not use `mkdir` with `recursive`, which never returns if an existing parent
 * does not accept folders, as in /proc.
 *
 * @throws Node's error for the folder that cannot be created
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await isFolder(dirname(path)))) {
      await makeFolder(dirname(path), mode);
      await makeFolder(path, mode);
    } else if (!(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
