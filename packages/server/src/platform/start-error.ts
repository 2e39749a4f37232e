import { realpath } from 'node:fs/promises';
import { EmbeddedPostgresError, type EmbeddedPostgresFault } from '@touchstone/embedded-postgres';
import { SignerFileError } from '../images/open-signer.ts';
import { MasterKeyError } from '../keys/master-key.ts';
import { SchemaError } from './database/migrate.ts';
import { ConfigError } from './settings/settings-reader.ts';

/** The service cannot start, and would not without a change; the message says what is wrong and what to do. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

const FOR_OPERATORS = [ConfigError, SchemaError, MasterKeyError, SignerFileError];

/** Which settings help against a fault of the embedded database. */
const DATABASE_SETTINGS: Partial<Record<EmbeddedPostgresFault, string>> = {
  not_installed: 'Or set TOUCHSTONE_DATABASE_URL to a PostgreSQL of yours.',
  no_account: 'Or set TOUCHSTONE_DATABASE_URL to a PostgreSQL of yours.',
  no_space: 'Or choose another folder with TOUCHSTONE_DATA_DIR.',
  in_use:
    'TOUCHSTONE_DATA_DIR chooses another folder; with TOUCHSTONE_DATABASE_URL, several services share one PostgreSQL.',
};

/** The error as a StartError where it is one of those that an operator can do something about. */
export function asStartError(error: unknown): unknown {
  if (error instanceof EmbeddedPostgresError) {
    const settings = DATABASE_SETTINGS[error.fault];
    const message = settings === undefined ? error.message : `${error.message} ${settings}`;
    return new StartError(message, { cause: error });
  }
  if (FOR_OPERATORS.some((kind) => error instanceof kind) && error instanceof Error) {
    return new StartError(error.message, { cause: error });
  }
  return error;
}

/** Faults of the file system that lie with the folder, and what then to do. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there. Give it the folder',
  EPERM: 'this user may not write there. Give it the folder',
  EROFS: 'it is read-only. Make it writable',
  ENOSPC: 'the disk is full. Make room',
  EDQUOT: 'the quota of this user is spent. Make room',
  EEXIST: 'something that is no folder is in its place. Move that away',
  ENOTDIR: 'a part of its path is no folder. Mend the path',
  ENOENT: 'it is not there and cannot be made. Make it',
};

export interface SetFolder {
  readonly path: string;
  /** What it is, in words. */
  readonly name: string;
  /** Where another one can be chosen. */
  readonly setting: string;
}

/** A fault of making, reading or writing in a folder, as a StartError; any other error as it is. */
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
      ? // a full disk shows when an open file is written, without its path
        syscall === 'write'
      : spellings.some((ours) => path.startsWith(ours) || (syscall === 'mkdir' && ours.startsWith(path)));
  if (!isOurs) return error;
  return new StartError(
    `The ${name} ${folder} cannot be used: ${fault}, or choose another one with ${setting} (${error.message}).`,
    { cause: error },
  );
}
