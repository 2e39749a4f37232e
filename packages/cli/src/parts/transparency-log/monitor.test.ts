import { mkdtempSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COSIGNATURE_ED25519, cosign, formatNote, parseNote } from '@touchstone/certificate/log';
import { expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { loopbackServers, runCli } from '../../testing.ts';
import { type TestLog, testKey, testLeaf, testLog } from './testing.ts';

const folder = useFolder('monitor');
const freshFolder = () => mkdtempSync(join(folder, 'm-'));
const serve = loopbackServers();
const ORIGIN = 'log.example/2026';

/** Entries with numbers; every hundredth is of the shop, its subdomain, or a name that only ends alike. */
function leaves(from: number, to: number): Uint8Array[] {
  const domains = ['shop.example', 'www.shop.example', 'workshop.example'];
  return Array.from({ length: to - from }, (_, at) => {
    const number = from + at;
    return testLeaf(number, number % 100 === 0 ? { domain: domains[(number / 100) % 3] ?? '' } : {});
  });
}

async function logOf(size: number): Promise<TestLog> {
  const log = await testLog(ORIGIN);
  log.append(...leaves(0, size));
  return log;
}

interface Place {
  readonly place: string;
  readonly policy: string;
  readonly state: string;
}

/** A folder with the log's files, a policy with its key, and where a state may be. */
async function published(log: TestLog): Promise<Place> {
  const own = freshFolder();
  const place = join(own, 'log');
  await log.writeTo(place);
  const policy = join(own, 'policy');
  await writeFile(policy, `log ${log.vkey}\nquorum none\n`);
  return { place, policy, state: join(own, 'state.json') };
}

async function monitor({ place, policy, state }: Place, more: readonly string[] = [], stop?: AbortSignal) {
  const argv = ['log', 'monitor', '--domain', 'Shop.example', place, '--policy', policy, '--state', state];
  const ran = await runCli([...argv, '--json', ...more], stop === undefined ? {} : { stop });
  const lines = ran.out.split('\n').filter((line) => line !== '');
  const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const [last] = (values.at(-1)?.logs ?? [{}]) as Record<string, unknown>[];
  return {
    code: ran.code,
    err: ran.err,
    indexes: values.slice(0, -1).map(({ index }) => index),
    last: last ?? {},
  };
}

it('prints what was issued for a host and its subdomains once, also over several runs of a growing log', async () => {
  const log = await logOf(70_000);
  const at = await published(log);
  const first = await monitor(at);
  expect(first.code, first.err + JSON.stringify(first.last)).toBe(0);
  const expected = Array.from({ length: 700 }, (_, n) => n * 100).filter((n) => (n / 100) % 3 < 2);
  expect(first.indexes).toEqual(expected);
  expect(first.last).toMatchObject({
    read: 70_000,
    found: expected.length,
    size: 70_000,
    keysFrom: 'policy',
  });
  expect((await monitor(at)).indexes).toEqual([]);
  // within a bundle, to its end, and beyond
  for (const size of [70_001, 70_144, 70_400, 70_500]) {
    const before = log.size;
    log.append(...leaves(before, size));
    await log.writeTo(at.place);
    const { code, indexes, last } = await monitor(at);
    expect([code, last.read]).toEqual([0, size - before]);
    const added = Array.from({ length: 705 }, (_, n) => n * 100);
    expect(indexes).toEqual(added.filter((n) => n >= before && n < size && (n / 100) % 3 < 2));
  }
});

it('continues after it was stopped, without a gap or a repetition', async () => {
  const at = await published(await logOf(900));
  const indexes = [];
  for (let run = 0; run < 2; run++) {
    const stopped = await monitor(at, [], AbortSignal.abort());
    expect(stopped.code).toBe(3);
    indexes.push(...stopped.indexes);
  }
  const { code, last, indexes: rest } = await monitor(at);
  expect([code, last.read]).toEqual([0, 900 - 2 * 256]);
  expect([...indexes, ...rest]).toEqual([0, 100, 300, 400, 600, 700]);
});

it('counts entries that hide their domain, or are of other kinds, and reads them as part of the tree', async () => {
  const log = await testLog(ORIGIN);
  const { domain: _, ...hidden } = JSON.parse(Buffer.from(testLeaf(1)).toString()) as Record<string, unknown>;
  const text = JSON.stringify({ domainHash: Buffer.alloc(32).toString('base64url'), ...hidden });
  log.append(...leaves(0, 3), Buffer.from(text), Buffer.from('{"anchor":"shop.example"}'), Buffer.alloc(0));
  // not in the one form of a leaf: no verifier accepts it
  log.append(
    Buffer.from(
      Buffer.from(testLeaf(9, { domain: 'shop.example' }))
        .toString()
        .replace(':1}', ': 1}'),
    ),
  );
  const { code, indexes, last } = await monitor(await published(log));
  expect([code, indexes]).toEqual([0, [0]]);
  expect(last).toMatchObject({ read: 7, hidden: 1, otherKinds: 3, found: 1 });
});

it('reads a log at its address, and all logs of a service, whose keys it takes from there the first time only', async () => {
  const log = await logOf(600);
  const at = await published(log);
  let named = log;
  const { url } = await serve(({ path }) => ({ status: 404, ...respond.get(path) }));
  const respond = new Map<string, { status: number; body: Uint8Array | object }>();
  for (const path of await readdir(at.place, { recursive: true })) {
    const bytes = await readFile(join(at.place, path)).catch(() => undefined);
    if (bytes !== undefined) respond.set(`/api/v1/mc4p/log/2026/${path}`, { status: 200, body: bytes });
  }
  const next = { origin: 'log.example/2027', size: 0 };
  const list = { logs: [{ origin: ORIGIN, size: 600 }, next] };
  respond.set('/api/v1/mc4p/log', { status: 200, body: list });
  const policyNow = () =>
    respond.set('/api/v1/mc4p/log/policy', {
      status: 200,
      body: Buffer.from(`log ${named.vkey}\nquorum none\n`),
    });
  policyNow();
  for (const place of [url, `${url}/api/v1/mc4p/log`, `${url}/api/v1/mc4p/log/2026`]) {
    const { code, indexes, last } = await monitor({ ...at, place, state: join(freshFolder(), 's') });
    expect([code, indexes, last.keysFrom]).toEqual([0, [0, 100, 300, 400], 'policy']);
  }
  const argv = ['log', 'monitor', '--domain', 'shop.example', url, '--state', at.state];
  expect(await runCli(argv)).toMatchObject({
    code: 0,
    out: expect.stringContaining('The log itself named its key'),
  });
  // a log that is not listed any more is missed
  const later = await testLog('log.example/2027');
  respond.set('/api/v1/mc4p/log', { status: 200, body: { logs: [{ origin: later.origin, size: 1 }] } });
  const empty = Buffer.from(await later.checkpoint());
  respond.set('/api/v1/mc4p/log/2027/checkpoint', { status: 200, body: empty });
  named = later;
  policyNow();
  expect(await runCli(argv)).toMatchObject({ code: 3, out: expect.stringContaining('is not shown now') });
  respond.set('/api/v1/mc4p/log', { status: 200, body: list });
  // a log that changes its key is not the one that was seen
  named = await testLog(ORIGIN, await testKey(ORIGIN));
  named.append(...leaves(0, 600));
  policyNow();
  respond.set('/api/v1/mc4p/log/2026/checkpoint', {
    status: 200,
    body: Buffer.from(await named.checkpoint()),
  });
  expect(await runCli(argv)).toMatchObject({
    code: 1,
    out: expect.stringContaining('not signed by its key'),
  });
});

it.each([
  ['of the same size', 300, 300],
  ['that grew', 300, 700],
  ['that shrank', 700, 300],
])('keeps both checkpoints of a fork %s, and fails', async (_, before, after) => {
  const log = await logOf(before);
  const at = await published(log);
  expect((await monitor(at)).code).toBe(0);
  const fork = await testLog(ORIGIN, log);
  fork.append(...leaves(0, 200), ...leaves(1_000, 1_000 + after - 200));
  if (after > before) await rm(at.place, { recursive: true });
  await fork.writeTo(at.place);
  if (after < before) {
    // whoever shows an older tree keeps the tiles of the larger one
    await log.writeTo(join(at.place, '..', 'copy'));
    await cp(join(at.place, '..', 'copy', 'tile'), join(at.place, 'tile'), { recursive: true });
  }
  const { code, last, indexes } = await monitor(at);
  expect([code, indexes]).toEqual([1, []]);
  const evidence = await readFile(String(last.evidence), 'utf8');
  expect(evidence).toContain(await log.checkpoint());
  expect(evidence).toContain(await fork.checkpoint());
  // and is not taken for the log the next time
  expect((await monitor(at)).code).toBe(1);
});

it('does not take an older checkpoint for a fork', async () => {
  const log = await logOf(700);
  const at = await published(log);
  await monitor(at);
  await writeFile(join(at.place, 'checkpoint'), await log.checkpoint(300));
  const { code, last } = await monitor(at);
  expect([code, last.isOlder], JSON.stringify(last)).toEqual([3, true]);
});

it.each([
  'tile/entries/001',
  'tile/0/000',
  'tile/0/002.p/188',
  'tile/1/000.p/2',
  'checkpoint',
  'tile/entries/002.p/188',
])('reports nothing of a log in which one bit of %s differs', async (path) => {
  const log = await logOf(700);
  const at = await published(log);
  const bytes = await readFile(join(at.place, path));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(join(at.place, path), bytes);
  const { code, indexes, last } = await monitor(at);
  // of a whole bundle, the hashes of its leaves are not read
  if (path === 'tile/0/000') expect([code, indexes.length]).toEqual([0, 5]);
  else {
    expect(code).toBe(1);
    expect(last.fault).toBeTypeOf('string');
    expect(indexes).toEqual(path.startsWith('tile/entries') ? expect.anything() : []);
    if (path === 'tile/entries/001') expect(indexes).toEqual([0, 100]);
  }
});

it('tells whether the quorum of the policy has cosigned', async () => {
  const log = await logOf(3);
  const at = await published(log);
  const witnesses = await Promise.all([1, 2].map((n) => testKey(`w.example/${n}`, COSIGNATURE_ED25519)));
  const named = witnesses.map(({ vkey }, n) => `witness w${n} ${vkey}\n`).join('');
  await writeFile(at.policy, `log ${log.vkey}\n${named}group both all w0 w1\nquorum both\n`);
  expect(await monitor(at)).toMatchObject({ code: 3, last: { quorum: false, witnesses: [] } });
  const note = parseNote(await log.checkpoint());
  if (typeof note === 'string') throw new Error(note);
  const cosignatures = await Promise.all(witnesses.map(({ signer }) => cosign(note.text, 1, signer)));
  const signatures = [...note.signatures, ...cosignatures];
  await writeFile(join(at.place, 'checkpoint'), formatNote({ ...note, signatures }));
  expect(await monitor(at)).toMatchObject({ code: 0, last: { quorum: true, witnesses: ['w0', 'w1'] } });
});

it('prints no entry that could control a terminal', async () => {
  const log = await testLog(`log.example/\u202e\u009b2J`);
  log.append(testLeaf(1, { domain: 'x.shop.example', kid: 'k\u001b[2J\u009b1m\u202e\nVERIFIED' }));
  const { place, policy } = await published(log);
  for (const more of [[], ['--json']]) {
    const argv = ['log', 'monitor', '--domain', 'shop.example', place, '--policy', policy, ...more];
    const { code, out, err } = await runCli(argv);
    expect(code).toBe(0);
    expect(out + err).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|^VERIFIED/mu);
    expect(out).toContain('k\\u001b');
  }
});

it('refuses another state, another domain, and a copy without a key', async () => {
  const at = await published(await logOf(3));
  expect((await monitor(at)).code).toBe(0);
  const words = ['log', 'monitor', at.place, '--domain'];
  expect((await runCli([...words, 'other.example', '--policy', at.policy, '--state', at.state])).code).toBe(
    64,
  );
  expect((await runCli([...words, 'shop.example'])).code).toBe(64);
  expect((await runCli([...words, 'shop.example', '--policy', at.policy, '--state', at.policy])).code).toBe(
    64,
  );
  expect((await runCli([...words, 'no host', '--policy', at.policy])).code).toBe(64);
  expect(
    (await runCli(['log', 'monitor', folder, '--domain', 'shop.example', '--policy', at.policy])).code,
  ).toBe(64);
});

it('moves on to the log that followed one whose key was revoked, and says what ended; what a thief signs is no part of it', async () => {
  const log = await logOf(600);
  const at = await published(log);
  const years = freshFolder();
  const old = { ...at, place: join(years, '2026') };
  await cp(at.place, old.place, { recursive: true });
  expect((await monitor(old)).indexes).toEqual([0, 100, 300, 400]);

  const next = await testLog(`${ORIGIN}-2`);
  next.append(...leaves(900, 1_300));
  await next.writeTo(join(years, '2026-2'));
  await writeFile(at.policy, `${await log.ended()}\nlog ${next.vkey}\nquorum none\n`);
  // also of whoever watches the log of the year alone
  const moved = await monitor(old);
  expect([moved.code, moved.indexes]).toEqual([0, [0, 100, 300].map((number) => number)]);
  const argv = ['log', 'monitor', '--domain', 'shop.example', years, '--policy', at.policy];
  const { code, out } = await runCli(argv);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /log\.example\/2026: 600 .*ended 2026-11-27T00:00:00.000Z, when its key was revoked/,
    ),
  ]);

  // with the stolen key, consistent with all that was seen before
  log.append(...leaves(600, 700));
  await log.writeTo(old.place);
  const stolen = await monitor(old);
  expect([stolen.code, stolen.last.fault]).toEqual([1, expect.stringContaining('has ended')]);
});

it('says what to do if an old copy of the policy does not name the log that followed', async () => {
  const log = await logOf(3);
  const at = await published(log);
  const place = join(freshFolder(), '2026');
  await cp(at.place, place, { recursive: true });
  await (await testLog(`${ORIGIN}-2`)).writeTo(`${place}-2`);
  const { code, err } = await monitor({ ...at, place });
  expect([code, err]).toEqual([3, expect.stringContaining('get the policy of the service again')]);
});
