/** The commands' access to the outside; created by `index.ts` from the process, and by tests. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Waits this number of milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The bytes of a file in chunks. Rejects with Node's error codes (ENOENT, EACCES, EISDIR). */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** Opens a file for appending, and creates it if missing. Rejects as `readFile` does. */
  readonly appendTo: (path: string) => Promise<AppendFile>;
  /** Writes a whole file atomically, and creates its folders. Rejects with Node's error codes. */
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<void>;
  /** The same from chunks, one at a time in memory; if they fail, the file stays as it was. */
  readonly replaceFile: (path: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Whether two paths lead to one file; false if either does not exist. */
  readonly isSameFile: (one: string, other: string) => Promise<boolean>;
  /** Removes a file; a missing one is no error. */
  readonly removeFile: (path: string) => Promise<void>;
  /** Names of a folder's entries; empty if the folder does not exist. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
  /**
   * A folder and all below it, with their file names; symbolic links and folders whose names begin with a dot are skipped. Paths are
   * relative to the folder and separated by `/`. Rejects with Node's error codes.
   */
  readonly foldersBelow: (folder: string) => AsyncIterable<FolderFiles>;
  /** Aborted when the user stops the program (Ctrl-C, SIGTERM, a closed terminal). */
  readonly stop: AbortSignal;
  /**
   * Registers a cleanup step for when the program ends by a fault of its own, bypassing every `finally`.
   *
   * @returns removes the step again
   */
  readonly atFault: (undo: () => Promise<void>) => () => void;
}

export interface FolderFiles {
  /** Empty for the folder itself. */
  readonly path: string;
  readonly names: readonly string[];
}

export interface AppendFile {
  /** Size in bytes. */
  readonly size: number;
  /** Truncates it to this size. */
  truncate(size: number): Promise<void>;
  /** Resolves when the text was passed to the operating system, so that it survives the end of this process. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Made by `printing`, so that no text can control the terminal. */
export interface Output {
  write(text: string): void;
  /** Replaces the line of a terminal at which it is. */
  replaceLine(text: string): void;
  /** Whether it is a terminal: colours and moving progress are then suitable. */
  readonly isTerminal: boolean;
  /** Width in characters; 80 if unknown. */
  readonly columns: number;
}
