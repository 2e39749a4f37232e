import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { encodeTilePath, newTiles } from '../../../certificate/src/log/index.ts';
import {
  createTestIssuer,
  createTestLog,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestLog,
} from '../../../certificate/src/testing/issuer.ts';
import { loopbackServers, runCli } from '../testing.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const folder = useFolder('verify-log');
const serve = loopbackServers();
const issuer = await createTestIssuer();
const certificate = await issuer.certificate({
  product: { control: { method: 'dns_txt', checkedAt: TEST_NOW.toISOString() } },
});
const jwt = (certificate.proof as { jwt: string }).jwt;
const path = (name: string) => join(folder, name);
let log: TestLog;

beforeEach(async () => {
  log = await createTestLog(sha256);
  await writeFile(path('jwks.json'), JSON.stringify(issuer.jwks));
  for (const quorum of ['none', 'w1', 'two']) await writeFile(path(`${quorum}.policy`), log.policy(quorum));
});

/** A file with the certificate, logged at this size, or with another statement about its log. */
async function file(
  of: TestLog,
  witnesses: readonly number[],
  change = (text: string) => text,
): Promise<string> {
  const index = of.add(jwt);
  const text = await of.proofOf(index, await of.checkpoint(witnesses));
  const name = path(`${of.size}-${witnesses.join('')}.json`);
  await writeFile(name, JSON.stringify({ ...certificate, 'svc:logProof': change(text) }));
  return name;
}

/** The tiles of a log, by their paths. */
async function tilesOf({ size, reader }: TestLog): Promise<Map<string, Uint8Array>> {
  const tiles = newTiles(0, size).map(async (tile) => {
    const bytes = await reader.tile(tile.level, tile.n, tile.width);
    return [encodeTilePath(tile), bytes] as const;
  });
  return new Map(await Promise.all(tiles));
}

async function verified(name: string, ...more: readonly string[]) {
  const argv = ['verify', name, '--page-url', TEST_PRODUCT.url, '--issuer', TEST_ISSUER];
  const all = [...argv, '--jwks', path('jwks.json'), ...more];
  const { code, json, err } = await runCli([...all, '--json'], { now: TEST_NOW });
  const { out: words } = await runCli(all, { now: TEST_NOW });
  const answer = code === 64 ? {} : json();
  const { log: told, conclusion, status } = answer as Record<string, { [name: string]: unknown }>;
  return { code, status, log: told, concluded: conclusion?.code, words, err };
}

describe('touchstone verify, of a certificate that says where it is logged', () => {
  it('says nothing about a log unless it is given the policy of one', async () => {
    const name = await file(log, [1], () => 'nonsense');
    expect(await verified(name)).toMatchObject({ code: 0, status: 'verified', log: undefined });
    for (const alone of [['--log-required'], ['--log-checkpoints', path('seen.json')]])
      expect((await verified(name, ...alone)).code).toBe(64);
  });

  it('tells the place and the witnesses, and ends with exit code 3 where more is required', async () => {
    const name = await file(log, [1]);
    const witnessed = await verified(name, '--log', path('w1.policy'), '--log-required');
    expect(witnessed).toMatchObject({ code: 0, log: { status: 'witnessed', witnesses: ['w1'] } });
    expect(witnessed.words).toMatch(
      /log +The proof is in the log[\s\S]*Entry 0 of 1 in certificates\.example/,
    );
    const logged = await verified(name, '--log', path('two.policy'));
    expect(logged).toMatchObject({ code: 0, log: { status: 'logged' } });
    expect(logged.words).toContain('Logged, not witnessed');
    const required = await verified(name, '--log', path('two.policy'), '--log-required');
    expect(required).toMatchObject({ code: 3, status: 'verified', concluded: 'log_required' });
    const profile = ['--profile', 'standard', '--log', path('two.policy')];
    expect((await verified(name, ...profile)).code).toBe(0);
    expect((await verified(name, ...profile, '--log-required')).code).toBe(3);
    expect((await verified(name, '--log', path('none.policy'), '--log-required')).code).toBe(0);
  });

  it('asks the service for what witnesses have confirmed since, where that is required, and only there', async () => {
    const carried = await file(log, []);
    const bare = path('bare.json');
    await writeFile(bare, JSON.stringify(certificate));
    const later = await log.proofOf(0, await log.checkpoint([1]));
    const hash = Buffer.from(sha256(Buffer.from(jwt))).toString('base64url');
    const asked: string[] = [];
    const server = await serve(({ path: address }) => {
      asked.push(address);
      return address === `/log/proofs/${hash}` ? { body: later } : { status: 404 };
    });
    const policy = path('addressed.policy');
    await writeFile(policy, log.policy('w1').replace(/^(log \S+)$/m, `$1 ${server.url}/log/2026`));
    expect(await verified(carried, '--log', policy)).toMatchObject({ code: 0, log: { status: 'logged' } });
    expect(asked).toEqual([]);
    for (const name of [carried, bare])
      expect(await verified(name, '--log', policy, '--log-required')).toMatchObject({
        code: 0,
        log: { status: 'witnessed', witnesses: ['w1'] },
      });
    await server.close();
    const alone = await verified(carried, '--log', policy, '--log-required');
    expect(alone).toMatchObject({ code: 3, concluded: 'log_required' });
  });

  it('never relies on a certificate that says something wrong about its log', async () => {
    const name = await file(log, [1], (text) => text.replace('index 0', 'index 1'));
    const wrong = await verified(name, '--log', path('none.policy'));
    expect(wrong).toMatchObject({ code: 3, status: 'verified', concluded: 'log_proof_invalid' });
    expect(wrong.words).toMatch(/^LOG ENTRY NOT TRUE {2}/);
    const withoutPage = await runCli(
      [
        'verify',
        name,
        '--issuer',
        TEST_ISSUER,
        '--jwks',
        path('jwks.json'),
        '--log',
        path('none.policy'),
        '--json',
      ],
      { now: TEST_NOW },
    );
    expect(withoutPage.json()).toMatchObject({
      log: { reason: 'log_inclusion_invalid' },
      conclusion: { code: 'log_proof_invalid' },
    });
  });

  it('refuses a policy that is none, or that cannot be read', async () => {
    const name = await file(log, []);
    const none = await verified(name, '--log', path('jwks.json'));
    expect([none.code, none.err]).toEqual([64, expect.stringContaining('policy_line_malformed, line 1')]);
    const server = await serve(() => ({ status: 404 }));
    const missing = await verified(name, '--log', `${server.url}/policy`);
    expect([missing.code, missing.err]).toEqual([64, expect.stringContaining('There is no policy at')]);
  });

  it('keeps what a log has shown, and both notes as evidence if it shows another history', async () => {
    let tiles = new Map<string, Uint8Array>();
    const server = await serve(({ path: asked }) => {
      if (asked === '/policy')
        return { body: log.policy('none').replace(/^(log \S+)$/m, `$1 ${server.url}/log`) };
      const body = tiles.get(asked.replace('/log/', ''));
      return body === undefined ? { status: 404 } : { body };
    });
    const seen = path('seen.json');
    const options = ['--log', `${server.url}/policy`, '--log-checkpoints', seen];
    const first = await file(log, []);
    expect((await verified(first, ...options)).code).toBe(0);
    for (let i = 0; i < 300; i++) log.addEntry(Uint8Array.of(i));
    const later = await file(log, []);
    tiles = await tilesOf(log);
    expect((await verified(later, ...options)).code).toBe(0);
    expect((await verified(first, ...options)).code).toBe(0);
    const kept = JSON.parse(await readFile(seen, 'utf8'));
    expect([kept.notes.length, kept.notes[0].split('\n')[1], kept.forks]).toEqual([1, '302', []]);

    // the same key signs another history
    const fork = await createTestLog(sha256, log.origin, log.key);
    for (let i = 0; i < 400; i++) fork.addEntry(Uint8Array.of(1));
    const forked = await file(fork, []);
    tiles = await tilesOf(fork);
    const other = await verified(forked, ...options);
    expect(other).toMatchObject({ code: 3, concluded: 'log_proof_invalid', log: { reason: 'log_forked' } });
    const { forks, notes } = JSON.parse(await readFile(seen, 'utf8'));
    expect(notes).toEqual(kept.notes);
    expect(forks[0].notes.map((note: string) => note.split('\n')[1])).toEqual(['302', '401']);
  });
});
