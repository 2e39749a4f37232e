import { type ChildProcess, spawn } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterProcesses, isAlive, readPostmasterFile } from './embedded/postmaster.ts';
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts';
import { StorageStartError } from './start-error.ts';

const NODE_SCRIPT = join(import.meta.dirname, 'embedded', 'testing-node.ts');

const ask = async (database: EmbeddedDatabase, statement: string) => {
  const client = new pg.Client(database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
};
const eventually = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};
const postmaster = async (dataDir: string) => (await readPostmasterFile(join(dataDir, 'postgres')))?.pid ?? 0;

describe('the embedded server', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'touchstone-embedded-'));
    await chmod(root, 0o711);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('keeps its data from start to start, flushes to disk, and leaves no process', async () => {
    const dataDir = join(root, 'plain');
    const first = await startEmbedded({ dataDir });
    await ask(first, 'create table kept (id integer)');
    const settings = await ask(
      first,
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
         current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as addresses`,
    );
    expect(settings).toEqual([{ fsync: 'on', pages: 'on', commit: 'on', addresses: '' }]);
    await first.close();
    await first.close();
    expect(await clusterProcesses(join(dataDir, 'postgres'))).toEqual([]);
    const second = await startEmbedded({ dataDir });
    expect(second.adopted).toBe(false);
    expect(await ask(second, 'select * from kept')).toEqual([]);
    await second.close();
  });

  it('keeps a password of its own that only we can read, and wants it', async () => {
    const dataDir = join(root, 'password');
    const database = await startEmbedded({ dataDir, durable: false });
    const file = join(dataDir, 'postgres-password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0);
    const wrong = new pg.Client({ ...database.connection, password: 'wrong' } as pg.ClientConfig);
    await expect(wrong.connect()).rejects.toMatchObject({ code: '28P01' });
    await database.close();
    await rm(file);
    await expect(startEmbedded({ dataDir })).rejects.toThrow('postgres-password is missing');
  });

  it('serves one service per folder: the second is refused, and told who the first is', async () => {
    const dataDir = join(root, 'held');
    const first = await startEmbedded({ dataDir, durable: false });
    await first.setAddress('http://127.0.0.1:8787');
    const refusal: unknown = await startEmbedded({ dataDir, durable: false }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(StorageStartError);
    expect(String(refusal)).toContain(`process ${process.pid} on ${hostname()}`);
    expect(String(refusal)).toContain('http://127.0.0.1:8787');
    expect(await ask(first, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.close();
    const second = await startEmbedded({ dataDir, durable: false });
    await second.close();
  });

  it('is made by one of two services that start at once on a new folder', async () => {
    const dataDir = join(root, 'race');
    const outcomes = await Promise.allSettled([1, 2].map(() => startEmbedded({ dataDir, durable: false })));
    const started = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(started).toHaveLength(1);
    await started[0]?.value.close();
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres-init'))).toEqual([]);
  });

  it('takes no half-made cluster for a whole one, and clears it away', async () => {
    const dataDir = join(root, 'half');
    const left = `postgres-init.${hostname()}.999999.0123abcd`;
    await mkdir(join(dataDir, left), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(join(dataDir, left, 'PG_VERSION'), '18\n');
    await writeFile(join(dataDir, `${left}.pw`), 'secret\n');
    const database = await startEmbedded({ dataDir, durable: false });
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    await database.close();
  });

  it('refuses a cluster of another PostgreSQL, saying which', async () => {
    const dataDir = join(root, 'older');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await writeFile(join(dataDir, 'postgres-password'), 'x\n');
    await expect(startEmbedded({ dataDir })).rejects.toThrow('made by PostgreSQL 15');
  });

  // root alone can make files that are not the database's own
  it.runIf(process.getuid?.() === 0)(
    'refuses a cluster that was copied without its owner, at once and with what to do',
    async () => {
      const dataDir = join(root, 'copied');
      const cluster = join(dataDir, 'postgres');
      await mkdir(cluster, { recursive: true });
      await writeFile(join(cluster, 'PG_VERSION'), '18\n');
      await writeFile(join(dataDir, 'postgres-password'), 'x\n');
      const started = startEmbedded({ dataDir });
      await expect(started).rejects.toThrow(StorageStartError);
      await expect(started).rejects.toThrow(/chown -R \d+ .*copied\/postgres/);
    },
  );

  it('works in a folder with a long name, whose socket has a folder elsewhere for as long', async () => {
    const dataDir = join(root, 'x'.repeat(60), 'y'.repeat(60));
    const database = await startEmbedded({ dataDir, durable: false });
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    const { host } = database.connection as { host: string };
    expect(host.startsWith(dataDir)).toBe(false);
    await database.close();
    await expect(access(host)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('works in a folder that is closed to all others', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const database = await startEmbedded({ dataDir: join(closed, 'data'), durable: false });
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
  });

  it('is started again when it was killed, and held as before', async () => {
    const dataDir = join(root, 'killed');
    const said: string[] = [];
    const database = await startEmbedded({ dataDir, log: (text) => said.push(text) });
    await database.setAddress('http://127.0.0.1:1');
    await ask(database, 'create table kept (id integer)');
    process.kill(await postmaster(dataDir), 'SIGKILL');
    // the server answers a moment before its folder is held again, and another might move in there
    await eventually(async () => expect(said).toContain('The embedded database is back.'));
    expect(await ask(database, 'select * from kept')).toEqual([]);
    const refusal = await startEmbedded({ dataDir }).catch((error: unknown) => String(error));
    expect(refusal).toContain(`process ${process.pid}`);
    expect(refusal).toContain('127.0.0.1:1');
    await database.close();
  });

  it('starts although its lock file names a process that is now another', async () => {
    const dataDir = join(root, 'reused');
    const first = await startEmbedded({ dataDir, durable: false });
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    const text = await readFile(lock, 'utf8');
    await first.close();
    await writeFile(lock, text.replace(/^\d+/, String(process.pid)));
    const second = await startEmbedded({ dataDir, durable: false, patience: 20_000 });
    expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.close();
  });

  it('starts although its lock file names a process that ended and was never fetched', async () => {
    const dataDir = join(root, 'zombie');
    const first = await startEmbedded({ dataDir, durable: false });
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    const text = await readFile(lock, 'utf8');
    await first.close();
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    // a shell that becomes another program never fetches the child that it had
    const parent = spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 60'], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const zombie = await new Promise<string>((resolve) =>
      parent.stdout.once('data', (data) => resolve(String(data))),
    );
    await writeFile(lock, text.replace(/^\d+/, zombie.trim()));
    try {
      const second = await startEmbedded({ dataDir, durable: false, patience: 10_000 });
      expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }]);
      await second.close();
    } finally {
      parent.kill();
    }
  });

  it('leaves no process when it is closed while it is being brought back', async () => {
    const dataDir = join(root, 'closed-midway');
    for (const delay of [0, 20, 60, 150]) {
      const database = await startEmbedded({ dataDir, durable: false });
      process.kill(await postmaster(dataDir), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, delay));
      await database.close();
      await eventually(async () => expect(await clusterProcesses(join(dataDir, 'postgres'))).toEqual([]));
    }
  });

  it('adopts the server of a service that was killed, and takes the folder over', async () => {
    const dataDir = join(root, 'adopted');
    const node = await LittleService.start(dataDir);
    const pid = await postmaster(dataDir);
    await node.kill();
    expect(await isAlive(pid)).toBe(true);
    const database = await startEmbedded({ dataDir });
    expect(database.adopted).toBe(true);
    expect(await postmaster(dataDir)).toBe(pid);
    await database.close();
    expect(await isAlive(pid)).toBe(false);
  });

  it('needs no hand and loses no acknowledged write, whatever is killed when', {
    timeout: 120_000,
  }, async () => {
    const dataDir = join(root, 'torture');
    let acknowledged = 0;
    for (let round = 0; round < 6; round += 1) {
      const node = await LittleService.start(dataDir);
      expect(node.lastAtStart).toBeGreaterThanOrEqual(acknowledged);
      await new Promise((resolve) => setTimeout(resolve, 30 + 60 * round));
      const pid = await postmaster(dataDir);
      if (round % 3 !== 0 && pid > 0) process.kill(pid, 'SIGKILL');
      if (round % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 300));
      await node.kill();
      acknowledged = Math.max(acknowledged, node.acknowledged);
    }
    const database = await startEmbedded({ dataDir });
    const [row] = await ask(database, 'select max(number)::int as last, count(*)::int as count from written');
    expect(row.last).toBeGreaterThanOrEqual(acknowledged);
    expect(row.count).toBe(row.last);
    expect(acknowledged).toBeGreaterThan(0);
    await database.close();
    expect(await clusterProcesses(join(dataDir, 'postgres'))).toEqual([]);
  });

  it('survives a kill in the midst of being made', { timeout: 120_000 }, async () => {
    const dataDir = join(root, 'young');
    for (const delay of [60, 250, 500, 800]) {
      const node = new LittleService(dataDir);
      await new Promise((resolve) => setTimeout(resolve, delay));
      await node.kill();
    }
    const database = await startEmbedded({ dataDir });
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres-init'))).toEqual([]);
  });
});

/** A process that holds a folder and writes numbers, to be killed. */
class LittleService {
  acknowledged = 0;
  lastAtStart = -1;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly ready: Promise<void>;

  constructor(dataDir: string) {
    this.#child = spawn(process.execPath, [NODE_SCRIPT, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
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

  static async start(dataDir: string): Promise<LittleService> {
    const service = new LittleService(dataDir);
    await service.ready;
    return service;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
