/** The folder and name of a database, and how it is run. */
export interface EmbeddedPostgresOptions {
  /** Created if it is missing. Contains the database, its password and its log. */
  readonly folder: string;
  /** Name of the database: lower-case letters. Its role has the same name with the suffix `_service`. */
  readonly name: string;
  /** False: nothing is flushed to disk, and a crash of the machine loses data. For tests only. */
  readonly durable?: boolean;
  /**
   * Seconds for which the server continues to run if this program ends without closing it (10). The program adopts it if it is
   * started again meanwhile.
   */
  readonly grace?: number;
  /** Milliseconds to wait for the server, including crash recovery (120,000). */
  readonly patience?: number;
  /** Lines for the program's log. */
  readonly log?: (line: string) => void;
  /** Called if another process has taken the folder: nothing may be written any more, and the program should end. */
  readonly onLost?: (error: Error) => void;
}

/** A PostgreSQL that runs until it is closed. */
export interface EmbeddedPostgres {
  /** Constant until it is closed, even if the server is restarted meanwhile. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
    /** Overrides PGSSLMODE of the environment, since a Unix socket has no TLS. */
    readonly ssl: false;
  };
  /** Whether the server was running already, left behind by a program that was killed. */
  readonly adopted: boolean;
  /** Records the address of this program, for the message to another one that is refused the folder. */
  setAddress(address: string): Promise<void>;
  /** Stops the server and releases the folder. */
  close(): Promise<void>;
}
