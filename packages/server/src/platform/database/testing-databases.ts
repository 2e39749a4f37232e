import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Connection } from './database.ts';

export type ServerAddress = Extract<Connection, { readonly host: string }>;

/** Databases that are made before they are asked for: making one takes longer than most of what is done with it. */
const AHEAD = 2;

/** The databases of a test run, which are copies of one: over one connection, since each costs more than what it is used for. */
export class TestDatabases {
  /** Of a Citus cluster the coordinator, and its workers, which have a database of the same name for each of its. */
  readonly #servers: readonly ServerAddress[];
  readonly #template: string;
  readonly #ready: Promise<string>[] = [];
  #clients: Promise<readonly pg.Client[]> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(servers: readonly ServerAddress[], template: string) {
    this.#servers = servers;
    this.#template = template;
  }

  /** A fresh database. */
  async take(): Promise<ServerAddress> {
    const name = this.#ready.shift() ?? this.#make();
    while (this.#ready.length < AHEAD) {
      const made = this.#make();
      made.catch(() => {}); // whoever takes it tries again
      this.#ready.push(made);
    }
    // again if it could not be made when it was not needed yet: a test may have ended our connection
    const database = await name.catch(() => this.#make());
    return { ...(this.#servers[0] as ServerAddress), database };
  }

  async drop(name: string): Promise<void> {
    await this.#run(`drop database if exists ${name} with (force)`);
  }

  /** What was asked for before is done before. */
  async close(): Promise<void> {
    for (const made of this.#ready.splice(0)) await made.then((name) => this.drop(name)).catch(() => {});
    const clients = await this.#clients?.catch(() => []);
    for (const client of clients ?? []) await client.end();
  }

  async #make(): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await this.#run(`create database ${name} template ${this.#template} strategy file_copy`);
    return name;
  }

  /** One after another: a server makes one copy at a time. */
  async #run(statement: string): Promise<void> {
    const done = this.#last.then(async () => {
      this.#clients ??= this.#connect();
      for (const client of await this.#clients) await client.query(statement);
    });
    this.#last = done.catch(() => {});
    await done;
  }

  async #connect(): Promise<readonly pg.Client[]> {
    const clients = this.#servers.map((server) => new pg.Client(server));
    for (const client of clients) {
      // a test ended it, or the server: the next statement connects again
      client.on('error', () => {
        this.#clients = undefined;
      });
      await client.connect();
    }
    return clients;
  }
}
