import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCluster } from './cluster.ts';
import { asDiskError, isDiskError } from './disk-fault.ts';
import { EmbeddedPostgresError } from './error.ts';
import { type FolderLock, takeFolderLock } from './folder-lock.ts';
import { findPrograms } from './programs.ts';
import { type RunningServer, type ServerOptions, startServer, stopServer } from './server.ts';
import { ensureServiceRole } from './service-role.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

export { type DiskFault, diskFault } from './disk-fault.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresFault } from './error.ts';

/** Where the database is, what it is called, and how it is run. */
export interface EmbeddedPostgresOptions {
  /** Made where it is missing. Holds the database, its password and its log. */
  readonly folder: string;
  /** Name of the database: lower-case letters. Its role is called so, with `_service` behind it. */
  readonly name: string;
  /** False: nothing is flushed to disk, and a crash of the machine loses data. Tests only. */
  readonly durable?: boolean;
  /**
   * Seconds that the server goes on running when this program ends without having closed it (10): started again meanwhile,
   * the program adopts it.
   */
  readonly grace?: number;
  /** Milliseconds to wait for the server, crash recovery included (120,000). */
  readonly patience?: number;
  /** Lines for the program's log. */
  readonly log?: (line: string) => void;
  /** The folder was lost to another process: nothing may be written any more. The program should end. */
  readonly onLost?: (error: Error) => void;
}

/** A PostgreSQL that runs until it is closed. */
export interface EmbeddedPostgres {
  /** Stays the same for as long as this one is open, whatever is killed meanwhile. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
    /** Said for a socket file, where a PGSSLMODE of the environment would ask for what is not there. */
    readonly ssl: false;
  };
  /** The server was running already: left behind by a program that was killed. */
  readonly adopted: boolean;
  /** Says where this program is reached, for whoever is refused the folder later. */
  setAddress(address: string): Promise<void>;
  /** Stops the server and releases the folder. */
  close(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a folder and holds the folder for this process. The server is watched: when it is
 * killed, it is started again, and pools of connections recover by themselves.
 *
 * @throws EmbeddedPostgresError saying what to do, for example when another process holds the folder
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw asDiskError(error, options.folder);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { name, durable = true } = options;
  // entered by PostgreSQL's user when we are root; what is secret in it has modes of its own
  await mkdir(options.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const folder = await realpath(options.folder);
  const programs = await findPrograms(folder);
  const { cluster, password } = await ensureCluster({ folder, name, programs, durable });
  const server = {
    cluster,
    name,
    logFile: join(folder, 'postgres.log'),
    programs,
    durable,
    patience: options.patience ?? 120_000,
  };
  return new Supervisor(options, folder, password, server).start();
}

/** Milliseconds between two starts on a disk that takes no more, and after how many of them this is told again. */
const DISK_PAUSE = 2_000;
const LOGGED = 30;

/** Keeps one server running and its folder held, from start to close. */
class Supervisor {
  readonly #options: EmbeddedPostgresOptions;
  readonly #folder: string;
  readonly #password: string;
  /** Of the role that the program connects as: nobody else knows it, so it need not outlive us. */
  readonly #rolePassword = randomBytes(24).toString('base64url');
  readonly #serverOptions: ServerOptions;
  #server: RunningServer | undefined;
  #lock: FolderLock | undefined;
  #watchdog: Watchdog | undefined;
  #address: string | undefined;
  #closing = false;
  #closed: Promise<void> | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(
    options: EmbeddedPostgresOptions,
    folder: string,
    password: string,
    server: Omit<ServerOptions, 'isUnwanted'>,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#password = password;
    this.#serverOptions = { ...server, isUnwanted: () => this.#closing };
  }

  async start(): Promise<EmbeddedPostgres> {
    const { server, lock } = await this.#hold();
    this.#watching = this.#watch();
    return {
      connection: this.#connection(server),
      adopted: server.adopted,
      setAddress: async (address) => {
        this.#address = address;
        await lock.setAddress(address);
      },
      close: () => this.#close(),
    };
  }

  /** Until a server runs, the folder is ours, and the database is there. */
  async #hold(): Promise<{ server: RunningServer; lock: FolderLock }> {
    for (let attempt = 1; ; attempt += 1) {
      const server = await startServer(this.#serverOptions);
      try {
        const lock = await takeFolderLock(this.#adminConnection(server), this.#folder);
        this.#server = server;
        this.#lock = lock;
        await this.#startWatchdog(server);
        const { role, password, database } = this.#role();
        await ensureServiceRole(this.#adminConnection(server), { role, password, database });
        if (this.#address !== undefined) await lock.setAddress(this.#address);
        return { server, lock };
      } catch (error) {
        await this.#lock?.release();
        if (error instanceof EmbeddedPostgresError) throw error;
        // most likely it was just being stopped or killed: try again, for 5 seconds
        if (attempt < 50) await delay(100);
        else {
          if (!server.adopted) await stopServer(server, this.#serverOptions.cluster);
          throw asDiskError(error, this.#folder);
        }
      }
    }
  }

  async #startWatchdog({ pid }: RunningServer): Promise<void> {
    this.#watchdog?.dismiss();
    const { cluster } = this.#serverOptions;
    const grace = this.#options.grace ?? 10;
    this.#watchdog = await startWatchdog({ folder: this.#folder, cluster, pid, grace });
  }

  /** Whenever the lock's connection breaks, the server ended or is about to: start it again. */
  async #watch(): Promise<void> {
    while (!this.#closing) {
      await this.#lock?.lost;
      if (this.#closing) return;
      this.#options.log?.('The embedded database stopped unexpectedly; starting it again.');
      try {
        await this.#holdOnceThereIsRoom();
        this.#options.log?.('The embedded database is running again.');
      } catch (error) {
        if (this.#closing) return;
        this.#closing = true;
        this.#options.onLost?.(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
  }

  /** A disk that takes no more is for the operator to fix, while we go on. */
  async #holdOnceThereIsRoom(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#hold();
        return;
      } catch (error) {
        const fault = asDiskError(error, this.#folder);
        if (this.#closing || !isDiskError(fault)) throw error;
        if (attempt % LOGGED === 0)
          this.#options.log?.(`${fault.message} It is started again until it can be.`);
        await delay(DISK_PAUSE);
      }
    }
  }

  #close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#closing = true;
      await this.#stop();
      // it may just have been started again
      await this.#watching;
      await this.#stop();
    })();
    return this.#closed;
  }

  /** The lock is held until the server ends, so that nobody moves in while it is stopping. */
  async #stop(): Promise<void> {
    if (this.#server !== undefined) await stopServer(this.#server, this.#serverOptions.cluster);
    this.#watchdog?.dismiss();
    await this.#lock?.release();
  }

  #role() {
    const { name } = this.#options;
    return { role: `${name}_service`, password: this.#rolePassword, database: name };
  }

  /** As the superuser, whom nothing but this package connects as. */
  #adminConnection({ socketDir: host, port }: RunningServer) {
    const { name: user } = this.#options;
    return { host, port, user, password: this.#password, database: 'postgres', ssl: false as const };
  }

  #connection({ socketDir: host, port }: RunningServer) {
    const { role: user, password, database } = this.#role();
    return { host, port, user, password, database, ssl: false as const };
  }
}
