import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, createTestLog, type TestLog, testClaims } from '../testing/issuer.ts';
import type { LogReason } from '../verify/log-reasons.ts';
import { createCheckpoints } from './checkpoints.ts';
import { formatLogProof, type LogProof, parseLogProof } from './log-proof.ts';
import { type Policy, parsePolicy } from './policy.ts';
import { logProofOf, verifyLogProof } from './verify-log-proof.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const issuer = await createTestIssuer();
const document = await issuer.certificate();
const jwt = (document.proof as { jwt: string }).jwt;
let log: TestLog;
let index: number;
beforeAll(async () => {
  log = await createTestLog(sha256);
  for (let i = 0; i < 300; i++) log.addEntry(new TextEncoder().encode(`entry ${i}`));
  index = log.add(jwt);
  log.addEntry(new Uint8Array());
});

const policyOf = async (quorum: string, of: TestLog = log) =>
  (await parsePolicy(of.policy(quorum))) as Policy;
const proofBy = async (...witnesses: number[]) => log.proofOf(index, await log.checkpoint(witnesses));
const verifyBy = async (text: unknown, quorum = 'none', proof: unknown = document) =>
  verifyLogProof(proof, text, { policy: await policyOf(quorum) });

describe('the proof that a certificate is logged', () => {
  it('leads from the entry over the tree and the log to the quorum, and tells each step', async () => {
    const text = await proofBy(1, 3);
    const logProof = { ...document, 'svc:logProof': text };
    for (const [proof, given] of [
      [document, text],
      [jwt, text],
      [JSON.stringify(logProof), undefined],
    ])
      expect(await verifyLogProof(proof, given, { policy: await policyOf('two') })).toEqual({
        status: 'witnessed',
        reason: 'witnessed',
        origin: log.origin,
        index: 300,
        treeSize: 302,
        witnesses: ['w1', 'w3'],
        steps: ['leaf', 'inclusion', 'checkpoint', 'quorum'].map((step) => ({
          step,
          result: true,
          reason: 'ok',
        })),
      });
    expect(logProofOf(logProof)).toBe(text);
  });

  it('says "logged, not witnessed" where witnesses are missing, or none is required', async () => {
    const missing = await verifyBy(await proofBy(2), 'two');
    expect(missing).toMatchObject({ status: 'logged', reason: 'logged_not_witnessed', witnesses: ['w2'] });
    expect(missing.steps[3]).toEqual({ step: 'quorum', result: false, reason: 'logged_not_witnessed' });
    const none = await verifyBy(await proofBy(1, 2, 3));
    expect(none.status).toBe('logged');
    expect(none.steps[3]).toEqual({ step: 'quorum', result: null, reason: 'logged_not_witnessed' });
  });

  it('keeps hidden hosts hidden', async () => {
    const at = log.add(jwt, { domain: undefined, domainHash: 'A'.repeat(43) });
    const text = await log.proofOf(at, await log.checkpoint());
    expect((await verifyBy(text)).status).toBe('logged');
  });

  it('says which step fails, and why', async () => {
    const checkpoint = await log.checkpoint([1]);
    const good = parseLogProof(await log.proofOf(index, checkpoint)) as LogProof;
    const change = (changes: Partial<LogProof>) => formatLogProof({ ...good, ...changes });
    const { extra: _, ...bare } = good;
    const of = async (changes: object) => log.proofOf(log.add(jwt, changes), await log.checkpoint());
    const year = await createTestLog(sha256, 'certificates.example/api/v1/mc4p/log/2025');
    const early = await year.proofOf(year.add(jwt), await year.checkpoint());
    const other = await issuer.sign({ ...testClaims(), domain: 'other.example' });
    const text = formatLogProof(good);
    const cases: [LogReason, string, unknown, unknown?, Policy?][] = [
      ['log_proof_malformed', 'leaf', 'no proof'],
      ['log_proof_malformed', 'leaf', 7],
      ['log_proof_malformed', 'leaf', formatLogProof(bare)],
      ['log_proof_malformed', 'leaf', change({ checkpoint: 'no note' })],
      ['log_proof_malformed', 'leaf', change({ checkpoint: checkpoint.replace(/\n\d+\n/, '\nmany\n') })],
      ['log_leaf_differs', 'leaf', text, other],
      ['log_leaf_differs', 'leaf', text, 'no.proof.atall'],
      ['log_leaf_differs', 'leaf', text, null],
      ['log_leaf_differs', 'leaf', change({ extra: new TextEncoder().encode('entry 5'), index: 5 })],
      ['log_leaf_differs', 'leaf', await of({ kind: 'asset' })],
      ['log_leaf_differs', 'leaf', await of({ domain: 'other.example' })],
      ['log_leaf_differs', 'leaf', await of({ iat: 1 })],
      ['log_leaf_differs', 'leaf', await of({ exp: 1 })],
      ['log_leaf_differs', 'leaf', await of({ kid: 'other' })],
      ['log_year_differs', 'leaf', early, jwt, await policyOf('none', year)],
      ['log_inclusion_invalid', 'inclusion', change({ index: index + 1 })],
      ['log_inclusion_invalid', 'inclusion', change({ index: 302 })],
      ['log_inclusion_invalid', 'inclusion', change({ hashes: good.hashes.toReversed() })],
      ['log_inclusion_invalid', 'inclusion', change({ hashes: good.hashes.slice(1) })],
      [
        'log_checkpoint_signature_invalid',
        'checkpoint',
        text.replace(
          /(— cert\S+ .{9})./,
          (_, before) => `${before}${text.includes(`${before}A`) ? 'B' : 'A'}`,
        ),
      ],
      [
        'log_checkpoint_signature_invalid',
        'checkpoint',
        text.replace(
          /(— w1\S+ .{30})./,
          (_, before) => `${before}${text.includes(`${before}A`) ? 'B' : 'A'}`,
        ),
      ],
      ['log_checkpoint_signature_invalid', 'checkpoint', text.replace(/— cert.*\n/, '')],
    ];
    for (const [reason, step, given, proof = document, policy = await policyOf('w1')] of cases) {
      const finding = await verifyLogProof(proof, given, { policy });
      const failed = finding.steps.find(({ result }) => result === false);
      expect([reason, step, finding.status, failed?.step]).toEqual([
        finding.reason,
        failed?.step,
        'invalid',
        step,
      ]);
    }
  });

  it('is not judged without policy, log or signature primitive', async () => {
    const text = await proofBy();
    const told = async (given: unknown, options: Parameters<typeof verifyLogProof>[2]) => {
      const { status, reason } = await verifyLogProof(document, given, options);
      return [status, reason];
    };
    const policy = await policyOf('none');
    const broken = () => {
      throw new DOMException('no Ed25519', 'NotSupportedError');
    };
    expect(await told(undefined, { policy })).toEqual([null, 'log_proof_absent']);
    expect(await told(text, {})).toEqual([null, 'log_policy_absent']);
    expect(await told(text, { policy: { logs: [], witnesses: [] } })).toEqual([null, 'log_unknown']);
    expect(await told(text, { policy, verifyEd25519: broken })).toEqual([null, 'log_algorithm_unsupported']);
  });

  it('does not survive a change of any byte', async () => {
    const text = await proofBy(1, 2);
    const policy = await policyOf('two');
    const bytes = new TextEncoder().encode(text);
    let counted = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [0x01, 0x02, 0x20]) {
        const changed = bytes.slice();
        changed[at] = (bytes[at] as number) ^ bit;
        const finding = await verifyLogProof(jwt, new TextDecoder().decode(changed), { policy });
        expect([at, bit, finding.status]).not.toEqual([at, bit, 'witnessed']);
        // but for what makes the line of a witness one of an unknown key
        if (finding.status === 'logged') counted++;
      }
      const cut = new TextDecoder().decode(bytes.subarray(0, at));
      expect((await verifyLogProof(jwt, cut, { policy })).status).not.toBe('witnessed');
    }
    expect(counted).toBeLessThan(2 * 3 * '— w1.example AAAAAA'.length);
  });
});

describe('checkpoints that are kept', () => {
  it('are compared one after the other, so that a fork is seen by whoever is shown both at the same time', async () => {
    const one = await createTestLog(sha256, 'a.example/log');
    const twin = await createTestLog(sha256, 'a.example/log', one.key);
    const policy = (await parsePolicy(`log ${one.key.vkey}\nquorum none\n`)) as Policy;
    const both = Uint8Array.of(1);
    for (const fork of [one, twin]) fork.addEntry(both);
    const checkpoints = createCheckpoints({ notes: [await one.checkpoint()] });
    one.addEntry(Uint8Array.of(2));
    twin.addEntry(Uint8Array.of(3));
    const released = Promise.withResolvers<void>();
    const slowly = ({ tile, entries }: TestLog['reader']) => ({
      entries,
      tile: async (...asked: Parameters<typeof tile>) => {
        await released.promise;
        return tile(...asked);
      },
    });
    const [note, other] = [await one.checkpoint(), await twin.checkpoint()];
    const shown = [one, twin].map(async (fork) =>
      checkpoints.see(await fork.checkpoint(), policy, slowly(fork.reader)),
    );
    released.resolve();
    const reasons = (await Promise.all(shown)).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual(['log_forked', 'ok']);
    expect(checkpoints.forks.map(({ notes }) => notes.toSorted())).toEqual([[note, other].toSorted()]);
    // shown again, it is told again, and kept once
    const again = reasons[0] === 'ok' ? other : note;
    expect((await checkpoints.see(again, policy)).reason).toBe('log_forked');
    expect(checkpoints.forks).toHaveLength(1);
  });

  it('continue each other, or prove by two notes that the log has forked', async () => {
    const one = await createTestLog(sha256, 'a.example/log');
    for (let i = 0; i < 5; i++) one.addEntry(Uint8Array.of(i));
    const policy = await policyOf('none', one);
    const first = await one.checkpoint();
    for (let i = 5; i < 700; i++) one.addEntry(Uint8Array.of(i, i >> 8));
    const second = await one.checkpoint([1]);

    const checkpoints = createCheckpoints();
    expect(await checkpoints.see(first, policy)).toEqual({ result: true, reason: 'ok' });
    expect((await checkpoints.see(second, policy)).reason).toBe('log_unreachable');
    expect(checkpoints.notes()).toEqual([first]);
    expect((await checkpoints.see(second, policy, one.reader)).reason).toBe('ok');
    expect(checkpoints.notes()).toEqual([second]);
    // an old certificate carries an old checkpoint
    expect((await checkpoints.see(first, policy, one.reader)).reason).toBe('ok');
    expect(createCheckpoints({ notes: ['no note', ...checkpoints.notes()] }).notes()).toEqual([second]);

    // another history by the same key
    for (const size of [4, 5, 8, 700, 900]) {
      const twin = await createTestLog(sha256, 'a.example/log', one.key);
      while (twin.size < size) twin.addEntry(Uint8Array.of(twin.size, 1));
      const note = await twin.checkpoint();
      for (const reader of [one.reader, twin.reader]) {
        const kept = createCheckpoints({ notes: [second] });
        const answer = await kept.see(note, policy, reader);
        const larger = size > 700 ? twin.reader : one.reader;
        const isTold = size === 700 || reader === larger;
        expect([size, answer.reason]).toEqual([size, isTold ? 'log_forked' : 'log_unreachable']);
        if (answer.reason === 'log_forked') expect(answer.evidence.notes).toEqual([second, note]);
        expect(kept.forks).toHaveLength(isTold ? 1 : 0);
        expect(kept.notes()).toEqual([second]);
      }
    }
    expect(
      (await checkpoints.see(await (await createTestLog(sha256, 'a.example/log')).checkpoint(), policy))
        .reason,
    ).toBe('log_checkpoint_signature_invalid');
    expect((await checkpoints.see('no note', policy)).reason).toBe('log_proof_malformed');
    expect((await checkpoints.see(second, { logs: [], witnesses: [] })).reason).toBe('log_unknown');
  });
});
