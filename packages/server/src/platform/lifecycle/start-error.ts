import { realpath } from 'node:fs/promises';

/**
 * The service cannot start until something is changed; the message says what is wrong and what to do. Subclasses keep the
 * name, by which the command line distinguishes operator errors from bugs.
 */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** Errors of the file system for which the folder is the reason, and what to do about them. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there. Give it the folder',
  EPERM: 'this user may not write there. Give it the folder',
  EROFS: 'it is read-only. Make it writable',
  ENOSPC: 'the disk is full. Free some space',
  EDQUOT: 'the quota of this user is exhausted. Free some space',
  EEXIST: 'something that is not a folder is in its place. Move it away',
  ENOTDIR: 'a part of its path is not a folder. Correct the path',
  ENOENT: 'it does not exist and cannot be created. Create it',
};

export interface SetFolder {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  /** The setting that names another folder. */
  readonly setting: string;
}

/** An error of creating, reading or writing in a folder as a StartError; any other error unchanged. */
export async function asFolderError(
  error: unknown,
  { path: folder, name, setting }: SetFolder,
): Promise<unknown> {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const fault = FOLDER_FAULTS[code ?? ''];
  if (!(error instanceof Error) || fault === undefined) return error;
  const spellings = [folder, await realpath(folder).catch(() => folder)];
  const isOurs =
    path === undefined
      ? // writing to an open file on a full disk fails without its path
        syscall === 'write'
      : spellings.some((ours) => path.startsWith(ours) || (syscall === 'mkdir' && ours.startsWith(path)));
  if (!isOurs) return error;
  return new StartError(
    `The ${name} ${folder} cannot be used: ${fault}, or choose another one with ${setting} (${error.message}).`,
    { cause: error },
  );
}
