/** What the commands know of the outside; `index.ts` makes it of the process, tests of their own parts. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Waits so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The bytes of a file, piece by piece. Rejects with Node's error codes (ENOENT, EACCES, EISDIR). */
  readonly readFile: (path: string) => AsyncIterable<Uint8Array>;
  /** Opens a file to write behind what it holds, and makes it where there is none. Rejects as `readFile` does. */
  readonly appendTo: (path: string) => Promise<AppendFile>;
  /** Writes a whole file, making its folders: it is there in full or as it was. Rejects with Node's error codes. */
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Takes a file away; one that is not there is gone already. */
  readonly removeFile: (path: string) => Promise<void>;
  /** Names of what lies in a folder; none where there is no such folder. */
  readonly namesIn: (folder: string) => Promise<readonly string[]>;
  /**
   * A folder and all below it, with the names of their files; symbolic links are left out, and folders whose names begin with a dot.
   * Paths are below the folder, with `/` between their parts. Rejects with Node's error codes.
   */
  readonly foldersBelow: (folder: string) => AsyncIterable<FolderFiles>;
  /** Aborted when the user asks to stop (Ctrl-C, SIGTERM, a terminal that is closed). */
  readonly stop: AbortSignal;
  /**
   * Has something undone should the program end by a fault of its own, past every `finally`.
   *
   * @returns forgets it again, once it is undone
   */
  readonly atFault: (undo: () => Promise<void>) => () => void;
}

export interface FolderFiles {
  /** Empty for the folder itself. */
  readonly path: string;
  readonly names: readonly string[];
}

export interface AppendFile {
  /** Bytes that it holds. */
  readonly size: number;
  /** Cuts it to so many bytes. */
  truncate(size: number): Promise<void>;
  /** Resolved once the text is with the operating system: then it outlives this process, however that ends. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface Output {
  write(text: string): void;
  /** Whether a person watches: then colours and moving progress are fit. */
  readonly isTerminal: boolean;
  /** Width in characters; 80 where unknown. */
  readonly columns: number;
}
