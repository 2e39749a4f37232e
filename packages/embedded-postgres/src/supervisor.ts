import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { asDiskError, isDiskError } from './disk-fault.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './error.ts';
import { type FolderLock, takeFolderLock } from './folder-lock.ts';
import { type RunningServer, type ServerOptions, startServer, stopServer } from './server.ts';
import { ensureServiceRole } from './service-role.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Retry interval on a full or read-only disk, in milliseconds. */
const DISK_RETRY_INTERVAL = 2_000;
/** Attempts after which this is logged again. */
const LOG_INTERVAL = 30;

export type SupervisorOptions = EmbeddedPostgresOptions &
  Omit<ServerOptions, 'isUnwanted'> & {
    readonly grace: number;
    /** Of the superuser. */
    readonly password: string;
  };

/** Keeps a server running and its folder locked, from start to close. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #role;
  #server: RunningServer | undefined;
  #lock: FolderLock | undefined;
  #watchdog: Watchdog | undefined;
  #address: string | undefined;
  #closing = false;
  #closed: Promise<void> | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    // only this process uses the password, so it is not stored
    const password = randomBytes(24).toString('base64url');
    this.#role = { user: `${options.name}_service`, password, database: options.name };
  }

  async start(): Promise<EmbeddedPostgres> {
    const { server, lock } = await this.#hold();
    this.#watching = this.#watch();
    return {
      connection: connectionOf(server, this.#role),
      adopted: server.adopted,
      setAddress: async (address) => {
        this.#address = address;
        await lock.setAddress(address);
      },
      close: () => this.#close(),
    };
  }

  /** Resolves when a server runs, the folder is locked, and the database exists. */
  async #hold(): Promise<{ server: RunningServer; lock: FolderLock }> {
    const { folder, cluster, name, password } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const server = await startServer({ ...this.#options, isUnwanted: () => this.#closing });
      // as the superuser, which only this package uses
      const admin = connectionOf(server, { user: name, password, database: 'postgres' });
      try {
        const lock = await takeFolderLock(admin, folder);
        this.#server = server;
        this.#lock = lock;
        this.#watchdog?.dismiss();
        this.#watchdog = await startWatchdog({ ...this.#options, pid: server.pid });
        await ensureServiceRole(admin, this.#role);
        if (this.#address !== undefined) await lock.setAddress(this.#address);
        return { server, lock };
      } catch (error) {
        await this.#lock?.release();
        if (error instanceof EmbeddedPostgresError) throw error;
        // most likely the server was being stopped or killed: try again for 5 seconds
        if (attempt < 50) await delay(100);
        else {
          if (!server.adopted) await stopServer(server, cluster);
          throw asDiskError(error, folder);
        }
      }
    }
  }

  /** Restarts the server whenever the connection of the lock breaks, since the server has then ended or is about to. */
  async #watch(): Promise<void> {
    while (!this.#closing) {
      await this.#lock?.lost;
      if (this.#closing) return;
      this.#options.log?.('The embedded database stopped unexpectedly; starting it again.');
      try {
        await this.#holdOnceDiskIsWritable();
        this.#options.log?.('The embedded database is running again.');
      } catch (error) {
        if (this.#closing) return;
        this.#closing = true;
        this.#options.onLost?.(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
  }

  /** Retries until the operator has fixed a full or read-only disk. */
  async #holdOnceDiskIsWritable(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#hold();
        return;
      } catch (error) {
        const fault = asDiskError(error, this.#options.folder);
        if (this.#closing || !isDiskError(fault)) throw error;
        if (attempt % LOG_INTERVAL === 0)
          this.#options.log?.(`${fault.message} It is started again until it can be.`);
        await delay(DISK_RETRY_INTERVAL);
      }
    }
  }

  #close(): Promise<void> {
    this.#closed ??= (async () => {
      this.#closing = true;
      await this.#stop();
      // `#watch` may just have restarted it
      await this.#watching;
      await this.#stop();
    })();
    return this.#closed;
  }

  /** Holds the lock until the server has ended, so that no other process takes the folder meanwhile. */
  async #stop(): Promise<void> {
    if (this.#server !== undefined) await stopServer(this.#server, this.#options.cluster);
    this.#watchdog?.dismiss();
    await this.#lock?.release();
  }
}

function connectionOf<Login>({ socketDir: host, port }: RunningServer, login: Login) {
  return { host, port, ...login, ssl: false as const };
}
