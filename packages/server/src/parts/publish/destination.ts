import type { CopyPath } from './copy-paths.ts';

/** Where copies are written. */
export interface Destination {
  /** Replaces what is there. Resolves when it is stored. */
  put(path: CopyPath, copy: Copy): Promise<void>;
  /** Idempotent. */
  remove(path: CopyPath): Promise<void>;
  /** The text of the mark; `null`: there is none. */
  readMark(): Promise<string | null>;
  writeMark(text: string): Promise<void>;
  isEmpty(): Promise<boolean>;
  close(): void;
}

/** The bytes that the service answers, with the headers of a 200 that belong to them. */
export interface Copy {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names the service whose copies these are. */
export const MARK = 'touchstone.json';
