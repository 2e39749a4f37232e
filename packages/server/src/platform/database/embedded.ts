import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Connection } from './database.ts';
import { isDatabaseAway } from './database-fault.ts';
import { chooseAccount } from './embedded/account.ts';
import { findBinaries } from './embedded/binaries.ts';
import { ensureCluster } from './embedded/cluster.ts';
import { type FolderLock, takeFolderLock } from './embedded/folder-lock.ts';
import { bringDown, bringUp, type RunningServer, type ServerOptions } from './embedded/server-process.ts';
import { makeFolder } from './make-folder.ts';
import { StorageStartError } from './start-error.ts';

const DATABASE = 'touchstone';

export interface EmbeddedOptions {
  /** Made where it is missing. Holds the cluster, its password and its log. */
  readonly dataDir: string;
  /** False: nothing is flushed to disk, and a crash of the machine loses data. Tests only. */
  readonly durable?: boolean;
  /** Milliseconds to wait for the server, crash recovery included. */
  readonly patience?: number;
  /** Lines for the service's log. */
  readonly log?: (line: string) => void;
  /** The folder was lost to another service: nothing may be written any more. The service should end. */
  readonly onLost?: (error: Error) => void;
}

export interface EmbeddedDatabase {
  readonly connection: Connection;
  /** The server was running already: left behind by a service that was killed. */
  readonly adopted: boolean;
  /** Tells where this service is reached, for whoever is refused the folder later. */
  setAddress(address: string): Promise<void>;
  /** Stops the server and gives the folder free. */
  close(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a data folder and holds the folder for this process. The server is watched: when
 * it is killed, it is started again, and connections heal by themselves.
 *
 * Throws `StorageStartError` saying what to do, for example when another service holds the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  // entered by PostgreSQL's user when we are root; what is secret in it has modes of its own
  await makeFolder(options.dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const dataDir = await realpath(options.dataDir);
  const binaries = await findBinaries();
  const account = chooseAccount(binaries.postgres, dataDir);
  const durable = options.durable ?? true;
  const { cluster, password } = await ensureCluster({ dataDir, binaries, account, durable });
  const serverOptions = {
    cluster,
    logFile: join(dataDir, 'postgres.log'),
    binaries,
    account,
    durable,
    patience: options.patience ?? 120_000,
  };
  return new Keeper(options, dataDir, password, serverOptions).start();
}

/** Keeps one server up and its folder held, from start to close. */
class Keeper {
  readonly #options: EmbeddedOptions;
  readonly #dataDir: string;
  readonly #password: string;
  readonly #serverOptions: ServerOptions;
  #server: RunningServer | undefined;
  #lock: FolderLock | undefined;
  #address: string | undefined;
  #closing = false;
  #closed: Promise<void> | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(
    options: EmbeddedOptions,
    dataDir: string,
    password: string,
    serverOptions: Omit<ServerOptions, 'isUnwanted'>,
  ) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#password = password;
    this.#serverOptions = { ...serverOptions, isUnwanted: () => this.#closing };
  }

  async start(): Promise<EmbeddedDatabase> {
    const { server, lock } = await this.#hold();
    this.#watching = this.#watch();
    return {
      connection: this.#connection(server, DATABASE),
      adopted: server.adopted,
      setAddress: async (address) => {
        this.#address = address;
        await lock.setAddress(address);
      },
      close: () => this.#close(),
    };
  }

  /** Up to a server that runs, a folder that is ours, and a database that is there. */
  async #hold(): Promise<{ server: RunningServer; lock: FolderLock }> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await bringUp(this.#serverOptions);
      try {
        const lock = await takeFolderLock(this.#connection(server, 'postgres'), this.#dataDir, new Date());
        this.#server = server;
        this.#lock = lock;
        await this.#ensureDatabase(server);
        if (this.#address !== undefined) await lock.setAddress(this.#address);
        return { server, lock };
      } catch (error) {
        await this.#lock?.release();
        // it was just being stopped or killed: look again
        if (isDatabaseAway(error) && attempt < 50) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          continue;
        }
        if (!server.adopted && !(error instanceof StorageStartError)) {
          await bringDown(server, this.#serverOptions.cluster);
        }
        throw error;
      }
    }
  }

  async #ensureDatabase(server: RunningServer): Promise<void> {
    const client = new pg.Client(this.#connection(server, 'postgres'));
    client.on('error', () => {});
    await client.connect();
    try {
      const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Whenever the lock's connection breaks, the server went away or is about to: bring it back. */
  async #watch(): Promise<void> {
    while (!this.#closing) {
      await this.#lock?.lost;
      if (this.#closing) return;
      this.#options.log?.('The embedded database went away; bringing it back.');
      try {
        await this.#hold();
        this.#options.log?.('The embedded database is back.');
      } catch (error) {
        if (this.#closing) return;
        this.#closing = true;
        this.#options.onLost?.(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
  }

  #close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#closing = true;
      await this.#letGo();
      // it may just have been brought back
      await this.#watching;
      await this.#letGo();
    })();
    return this.#closed;
  }

  /** The lock is held until the server ends, so that nobody moves in while it is stopping. */
  async #letGo(): Promise<void> {
    if (this.#server !== undefined) await bringDown(this.#server, this.#serverOptions.cluster);
    await this.#lock?.release();
  }

  #connection(server: RunningServer, database: string) {
    const { socketDir: host, port } = server;
    return { host, port, user: 'touchstone', password: this.#password, database, ssl: false as const };
  }
}
