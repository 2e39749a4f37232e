import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  COSIGNATURE_ED25519,
  formatNote,
  parseNote,
  parseVkey,
  type Vkey,
  verifyNote,
} from '@touchstone/certificate/log';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../../test/kit/folder.ts';
import { freePort } from '../../../../../../test/kit/servers.ts';
import { type TestDatabase, testDatabase } from '../../../../../server/src/platform/database/testing.ts';
import { runCli } from '../../../testing.ts';
import { type TestLog, testLeaf, testLog } from '../testing.ts';
import { createFileState, originHash } from './witness-state.ts';

const folder = useFolder('witness');
const freshFolder = () => mkdtempSync(join(folder, 'w-'));
const ORIGIN = 'log.example/2026';

interface Running {
  readonly url: string;
  readonly vkey: Vkey;
  readonly folder: string;
  readonly stop: () => Promise<number>;
}

const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Of the database, as it is given on the command line. */
function databaseUrl(): string {
  const { host = '', port, user, password, database: name } = database.connection as pg.ClientConfig;
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  return `postgresql://${user}${secret}@${encodeURIComponent(host)}:${port}/${name}`;
}

/** The status of a GET with this request target, which `fetch` would mend. */
async function rawStatus(url: string, target: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  const [response] = (await once(get({ hostname, port, path: target, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  return response.statusCode;
}

/** Where witnesses remember what they have cosigned. */
let memory: readonly string[] = [];

/** A witness of these logs, started as from the command line. */
async function startWitness(
  logs: readonly TestLog[],
  more: readonly string[] = [],
  own = freshFolder(),
): Promise<Running> {
  const port = String(await freePort());
  const stopping = new AbortController();
  const named = logs.flatMap(({ vkey }) => ['--log', vkey]);
  const argv = [
    'witness',
    'run',
    '--folder',
    own,
    '--name',
    'w.example/1',
    '--port',
    port,
    ...named,
    ...memory,
    ...more,
  ];
  const ran = runCli(argv, { stop: stopping.signal, now: new Date('2026-11-27T12:00:00Z') });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const { out } = await runCli(['witness', 'key', '--folder', own]);
  const vkey = await parseVkey(out.trim());
  if (vkey === null) throw new Error(out);
  const stop = async () => {
    stopping.abort();
    return (await ran).code;
  };
  const one = { url, vkey, folder: own, stop };
  running.push(one);
  return one;
}

async function add({ url }: Running, body: string | Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

async function grownLog(size: number): Promise<TestLog> {
  const log = await testLog(ORIGIN);
  log.append(...Array.from({ length: size }, (_, number) => testLeaf(number)));
  return log;
}

describe.each(['files', 'PostgreSQL'])('in %s', (kind) => {
  beforeEach(() => {
    memory = kind === 'files' ? [] : ['--database', databaseUrl()];
  });

  describe('a witness answers', () => {
    it('200 with a cosignature of a checkpoint that appends to the latest one, and publishes both', async () => {
      const log = await grownLog(300);
      const witness = await startWitness([log]);
      for (const [from, to] of [
        [0, 7],
        [7, 7],
        [7, 256],
        [256, 300],
      ] as const) {
        const { status, body } = await add(witness, await log.request(from, to));
        expect(status).toBe(200);
        const note = parseNote(`${await log.checkpoint(to)}${body}`);
        if (typeof note === 'string') throw new Error(note);
        const verified = await verifyNote(note, [witness.vkey]);
        expect(verified).toEqual([{ key: witness.vkey, timestamp: Date.UTC(2026, 10, 27, 12) / 1000 }]);
        const published = await (await fetch(`${witness.url}/${originHash(ORIGIN)}/checkpoint`)).text();
        expect(published).toBe(formatNote(note));
      }
    });

    it('400 for what is no request, or an old size above the checkpoint', async () => {
      const log = await grownLog(9);
      const witness = await startWitness([log]);
      const good = await log.request(3, 9);
      const hash = `${Buffer.alloc(32).toString('base64')}\n`;
      const bad = [
        '',
        'old 3',
        good.replace('old 3', 'old 03'),
        good.replace('old 3', 'old -3'),
        good.replace('old 3\n', 'old 3\nAAAA\n'),
        good.replace('old 3\n', `old 3\n${hash.repeat(64)}`),
        good.replace('\n9\n', '\n09\n'),
        good.replace(/— .*\n/, ''),
        Buffer.concat([Buffer.from(good), Buffer.of(0xff)]),
        await log.request(9, 9).then((text) => text.replace('old 9', 'old 10')),
      ];
      for (const body of bad) expect(await add(witness, body)).toMatchObject({ status: 400 });
    });

    it('404 for an unknown log, and 403 without a valid signature of a known key', async () => {
      const log = await grownLog(9);
      const other = await testLog('other.example/log');
      const forger = await testLog(ORIGIN);
      const witness = await startWitness([log]);
      expect(await add(witness, await other.request(0))).toMatchObject({ status: 404 });
      expect(await add(witness, await forger.request(0))).toMatchObject({ status: 403 });
      const good = await log.request(0);
      // a signature of a known key that does not verify counts against the note, whatever else signs it
      const [line = ''] = /— .*\n/.exec(good.replace('\n9\n', '\n9\n')) ?? [];
      const [otherLine = ''] = /— .*\n/.exec(await log.request(0, 8)) ?? [];
      expect(await add(witness, good.replace(line, otherLine))).toMatchObject({ status: 403 });
      expect(await add(witness, good + otherLine)).toMatchObject({ status: 403 });
      // those of others are ignored
      const [foreign = ''] = /— .*\n/.exec(await other.request(0)) ?? [];
      expect(await add(witness, good + foreign)).toMatchObject({ status: 200 });
    });

    it('409 with the size of the latest checkpoint for any other old size', async () => {
      const log = await grownLog(9);
      const witness = await startWitness([log]);
      const conflict = (size: number) => ({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` });
      expect(await add(witness, await log.request(3, 9))).toEqual(conflict(0));
      expect(await add(witness, await log.request(0, 5))).toMatchObject({ status: 200 });
      for (const from of [0, 3]) expect(await add(witness, await log.request(from, 9))).toEqual(conflict(5));
      expect(await add(witness, await log.request(0, 3))).toEqual(conflict(5));
    });

    it('422 for a proof that proves nothing, and keeps both checkpoints of a fork', async () => {
      const log = await grownLog(9);
      const fork = await testLog(ORIGIN, log);
      fork.append(...Array.from({ length: 9 }, (_, number) => testLeaf(100 + number)));
      const witness = await startWitness([log]);
      const refused = { status: 422 };
      const hash = `${Buffer.alloc(32).toString('base64')}\n`;
      const longer = (text: string) => text.replace(/^(old \d+\n)/, `$1${hash}`);
      expect(await add(witness, longer(await log.request(0, 5)))).toMatchObject(refused);
      const notEmpty = { size: 0, root: Buffer.alloc(32) };
      expect(await add(witness, await log.request(0, 0, notEmpty))).toMatchObject(refused);
      expect(await add(witness, await log.request(0, 0))).toMatchObject({ status: 200 });
      expect(await add(witness, await log.request(0, 5))).toMatchObject({ status: 200 });
      expect(await add(witness, longer(await log.request(5, 5)))).toMatchObject(refused);
      expect(await add(witness, longer(await log.request(5, 9)))).toMatchObject(refused);
      expect(await add(witness, await fork.request(5, 9))).toMatchObject(refused);
      // whoever sends it may have left something out: no evidence
      expect(await readdir(witness.folder)).not.toContain('forks');
      expect(await add(witness, await fork.request(5, 5))).toMatchObject(refused);
      const kept = await readFile(join(witness.folder, 'forks', originHash(ORIGIN)), 'utf8');
      expect(kept).toContain((await log.checkpoint(5)).trim());
      expect(kept).toContain((await fork.checkpoint(5)).trim());
      expect(await add(witness, await log.request(5, 9))).toMatchObject({ status: 200 });
    });

    it('nothing but the interface: 404, 405, and 413 for a body above the limit', async () => {
      const witness = await startWitness([]);
      const statusOf = async (path: string, init?: RequestInit) =>
        (await fetch(`${witness.url}${path}`, init)).status;
      expect(await statusOf('/')).toBe(404);
      expect(await statusOf('/add-checkpoint')).toBe(405);
      expect(await statusOf('/health', { method: 'DELETE' })).toBe(405);
      expect(await statusOf(`/${originHash(ORIGIN)}/checkpoint`)).toBe(404);
      expect((await add(witness, 'x'.repeat(80_000))).status).toBe(413);
      for (const target of [
        '//',
        '///',
        '//w.example/health',
        '/%',
        'http://[/health',
        '*',
        '/?',
        '/health/',
      ])
        expect([target, await rawStatus(witness.url, target)]).toEqual([target, 404]);
      for (const target of ['/health', '/health?now', `${witness.url}/health`])
        expect([target, await rawStatus(witness.url, target)]).toEqual([target, 200]);
    });
  });

  describe('a witness', () => {
    it('keeps to the rate of a log, but answers an unchanged checkpoint with the cosignature that it has', async () => {
      const log = await grownLog(30);
      const witness = await startWitness([log], ['--rate', '1']);
      const answers = [];
      for (let size = 1; size <= 12; size++)
        answers.push(await add(witness, await log.request(size - 1, size)));
      expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 409]);
      expect(await add(witness, await log.request(10, 10))).toEqual(answers[9]);
    });

    it('observes logs that are added while it runs, and never another key of a known log', async () => {
      const log = await grownLog(3);
      const witness = await startWitness([]);
      expect(await add(witness, await log.request(0))).toMatchObject({ status: 404 });
      const policy = join(witness.folder, 'policy');
      await writeFile(policy, `log ${log.vkey} https://log.example\nquorum none\n`);
      const adding = (named: string) => runCli(['witness', 'add-log', named, '--folder', witness.folder]);
      expect(await adding(policy)).toMatchObject({ code: 0, out: `Observes ${ORIGIN}\n` });
      expect(await add(witness, await log.request(0))).toMatchObject({ status: 200 });
      const { code, err } = await adding((await testLog(ORIGIN)).vkey);
      expect([code, err]).toEqual([64, expect.stringContaining('known with another key')]);
    });

    it('cosigns nothing but the last checkpoint of a log whose key was revoked, once a policy says so, and its successor', async () => {
      const log = await grownLog(5);
      const witness = await startWitness([log]);
      expect(await add(witness, await log.request(0, 3))).toMatchObject({ status: 200 });
      const next = await testLog(`${ORIGIN}-2`);
      next.append(testLeaf(1));
      const policy = join(witness.folder, 'policy');
      await writeFile(policy, `${await log.ended()}\nlog ${next.vkey}\nquorum none\n`);
      const { code, out } = await runCli(['witness', 'add-log', policy, '--folder', witness.folder]);
      expect([code, out]).toEqual([0, expect.stringContaining(`${ORIGIN} has ended`)]);
      expect((await runCli(['witness', 'add-log', policy, '--folder', witness.folder])).out).toContain(
        'already',
      );
      // with the stolen key
      log.append(testLeaf(99));
      expect(await add(witness, await log.request(3, 6))).toMatchObject({ status: 403 });
      expect(await add(witness, await log.request(3, 4))).toMatchObject({ status: 403 });
      expect(await add(witness, await log.request(3, 5))).toMatchObject({ status: 200 });
      expect(await add(witness, await next.request(0, 1))).toMatchObject({ status: 200 });
    });

    it('starts without another operator who is not reachable, if it knows its logs, and takes no keys from http', async () => {
      const log = await grownLog(3);
      const own = freshFolder();
      await startWitness([log], [], own).then(({ stop }) => stop());
      const witness = await startWitness([], ['--log', 'http://127.0.0.1:1/policy'], own);
      expect(await add(witness, await log.request(0))).toMatchObject({ status: 200 });
      const argv = ['witness', 'add-log', 'http://two.example/policy', '--folder', own];
      expect(await runCli(argv)).toMatchObject({ code: 64, err: expect.stringContaining('https') });
    });

    it('of two requests at once over contradicting trees cosigns one, even in two processes on one folder', async () => {
      const log = await grownLog(40);
      const fork = await testLog(ORIGIN, log);
      fork.append(...Array.from({ length: 40 }, (_, number) => testLeaf(number < 5 ? number : 100 + number)));
      const own = freshFolder();
      const first = await startWitness([log], [], own);
      const second = await startWitness([log], [], own);
      expect(await add(first, await log.request(0, 5))).toMatchObject({ status: 200 });
      const requests = Array.from(
        { length: 30 },
        (_, at) =>
          [[log, fork][at % 2] as TestLog, [first, second][(at >> 1) % 2] as Running, 6 + (at % 7)] as const,
      );
      const answers = await Promise.all(
        requests.map(async ([one, witness, size]) => {
          const { status } = await add(witness, await one.request(5, size));
          return { one, status };
        }),
      );
      expect(new Set(answers.flatMap(({ one, status }) => (status === 200 ? [one] : []))).size).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('stops on request, and does not start on a port that is taken', async () => {
      const witness = await startWitness([]);
      const argv = [
        'witness',
        'run',
        '--folder',
        witness.folder,
        ...memory,
        '--port',
        new URL(witness.url).port,
      ];
      expect(await runCli(argv)).toMatchObject({ code: 3, err: expect.stringContaining('cannot listen') });
      expect(await witness.stop()).toBe(0);
    });

    it('has its key once: it is never replaced, nor called otherwise', async () => {
      const own = freshFolder();
      const made = await runCli(['witness', 'key', 'w.example/1', '--folder', own, '--json']);
      expect(made.json()).toMatchObject({ name: 'w.example/1' });
      const vkey = await parseVkey(String(made.json().vkey));
      expect(vkey?.type).toBe(COSIGNATURE_ED25519);
      expect((await runCli(['witness', 'key', '--folder', own])).out.trim()).toBe(made.json().vkey);
      expect((await runCli(['witness', 'key', 'w.example/1', '--folder', own])).code).toBe(64);
      expect((await runCli(['witness', 'run', '--name', 'w.example/2', '--folder', own])).code).toBe(64);
      expect((await runCli(['witness', 'key', 'no name', '--folder', freshFolder()])).code).toBe(64);
      expect((await runCli(['witness', 'run', '--folder', freshFolder()])).code).toBe(64);
    });
  });
});

it('the state of a witness lets nobody take a place twice, however slow', async () => {
  const own = freshFolder();
  const slow = createFileState(own);
  const fast = createFileState(own);
  expect(await fast.commit('log', 0, 'one')).toBe(true);
  const seen = await slow.latest('log');
  expect(await fast.commit('log', 1, 'two')).toBe(true);
  expect(await fast.commit('log', 2, 'three')).toBe(true);
  // the name of the second is free again, for it was removed
  expect(await slow.commit('log', seen?.sequence ?? 0, 'another two')).toBe(false);
  expect(await slow.commit('log', 0, 'another one')).toBe(false);
  expect(await slow.latest('log')).toEqual({ sequence: 3, note: 'three' });
  expect(await readdir(join(own, originHash('log')))).toEqual(['3']);
});

describe('the memory of a witness in PostgreSQL', () => {
  beforeEach(() => {
    memory = ['--database', databaseUrl()];
  });

  it('is that of all processes with its key, on whatever machine', async () => {
    const log = await grownLog(9);
    const [own, copy] = [freshFolder(), freshFolder()];
    const first = await startWitness([log], [], own);
    await copyFile(join(own, 'key'), join(copy, 'key'));
    const second = await startWitness([log], [], copy);
    expect(await add(first, await log.request(0, 5))).toMatchObject({ status: 200 });
    expect(await add(second, await log.request(0, 9))).toMatchObject({ status: 409, body: '5\n' });
    expect(await add(second, await log.request(5, 9))).toMatchObject({ status: 200 });
    expect(await add(first, await log.request(5, 9))).toMatchObject({ status: 409, body: '9\n' });
    const shown = await Promise.all(
      [first, second].map(async ({ url }) => (await fetch(`${url}/${originHash(ORIGIN)}/checkpoint`)).text()),
    );
    expect(shown[0]).toBe(shown[1]);
    expect(shown[0]).toContain('\n9\n');
  });

  it('is the one with which the witness began: it starts with no other', async () => {
    const log = await grownLog(3);
    const own = freshFolder();
    await startWitness([log], [], own).then(({ stop }) => stop());
    const run = (...more: string[]) => runCli(['witness', 'run', '--folder', own, '--port', '0', ...more]);
    expect(await run()).toMatchObject({ code: 64, err: expect.stringContaining('--database') });
    await database.query("update witness_checkpoints set note = 'another' where origin = ''");
    expect(await run(...memory)).toMatchObject({ code: 64, err: expect.stringContaining('another memory') });

    memory = [];
    const files = freshFolder();
    const witness = await startWitness([log], [], files);
    await add(witness, await log.request(0, 3));
    await witness.stop();
    const argv = ['witness', 'run', '--folder', files, '--port', '0', '--database', databaseUrl()];
    expect(await runCli(argv)).toMatchObject({ code: 64, err: expect.stringContaining('cosigned') });
  });

  it('that cannot be reached has nothing cosigned, and does not let it start', async () => {
    const log = await grownLog(3);
    const witness = await startWitness([log]);
    await database.query('alter table witness_checkpoints rename to elsewhere');
    expect(await add(witness, await log.request(0, 3))).toMatchObject({ status: 500 });
    await database.query('alter table elsewhere rename to witness_checkpoints');
    expect(await add(witness, await log.request(0, 3))).toMatchObject({ status: 200 });
    const own = freshFolder();
    const argv = [
      'witness',
      'run',
      '--folder',
      own,
      '--name',
      'w',
      '--database',
      'postgresql://u@127.0.0.1:1/d',
    ];
    expect(await runCli(argv)).toMatchObject({ code: 3, err: expect.stringContaining('cannot be used') });
  });
});
