import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTestIssuer,
  createTestLog,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '@touchstone/certificate/testing';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { type LogVector, logVectorsOf } from '../kit/log-vectors.ts';
import { hasPython } from '../scenarios/transports/python.ts';

const why = hasPython() ? '' : ' (skipped: there is no python3)';
const FILES = ['policy', 'checkpoint', 'cosignature', 'tlog-proof', 'certificates'];
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());

describe.skipIf(!hasPython())(`examples/verify.py, about transparency logs${why}`, () => {
  const folder = useFolder('python-log');

  it.each(FILES)('agrees with the vectors of %s', (file) => {
    const vectors = logVectorsOf<LogVector>(file);
    const input = vectors.map((vector) => `${JSON.stringify({ log: file, vector })}\n`).join('');
    const driver = join(ROOT, 'test/scenarios/transports/verify_lines.py');
    const { stdout, status } = spawnSync('python3', [driver], { input, encoding: 'utf8' });
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(answers).toHaveLength(vectors.length);
    for (const [at, { id, expect: wanted }] of vectors.entries())
      expect([id, answers[at]]).toEqual([id, wanted]);
  });

  it('ends with 3 for a certificate whose log is not as required, or is not true', async () => {
    const issuer = await createTestIssuer();
    const certificate = await issuer.certificate();
    const log = await createTestLog(sha256);
    const text = await log.proofOf(
      log.add((certificate.proof as { jwt: string }).jwt),
      await log.checkpoint([1]),
    );
    const files = {
      'jwks.json': JSON.stringify(issuer.jwks),
      'bare.json': JSON.stringify(certificate),
      'logged.json': JSON.stringify({ ...certificate, 'svc:logProof': text }),
      'wrong.json': JSON.stringify({ ...certificate, 'svc:logProof': text.replace('index 0', 'index 1') }),
      'none.policy': log.policy('none'),
      'w1.policy': log.policy('w1'),
      'two.policy': log.policy('two'),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const verify = (name: string, ...more: readonly string[]) => {
      const asked = ['--page-url', TEST_PRODUCT.url, '--issuer', TEST_ISSUER, '--jwks', 'jwks.json'];
      const argv = [
        join(ROOT, 'examples/verify.py'),
        name,
        ...asked,
        '--now',
        TEST_NOW.toISOString(),
        ...more,
      ];
      const { status, stdout } = spawnSync('python3', argv, { cwd: folder, encoding: 'utf8' });
      return [status, status === 64 ? '' : (JSON.parse(stdout).log?.reason ?? '')];
    };
    expect(verify('wrong.json')).toEqual([0, '']);
    expect(verify('wrong.json', '--log', 'none.policy')).toEqual([3, 'log_inclusion_invalid']);
    expect(verify('bare.json', '--log', 'none.policy')).toEqual([0, 'log_proof_absent']);
    expect(verify('bare.json', '--log', 'none.policy', '--log-required')).toEqual([3, 'log_proof_absent']);
    expect(verify('logged.json', '--log', 'w1.policy', '--log-required')).toEqual([0, 'witnessed']);
    expect(verify('logged.json', '--log', 'two.policy')).toEqual([0, 'logged_not_witnessed']);
    expect(verify('logged.json', '--log', 'two.policy', '--log-required')).toEqual([
      3,
      'logged_not_witnessed',
    ]);
    expect(verify('logged.json', '--log', 'none.policy', '--log-required')).toEqual([
      0,
      'logged_not_witnessed',
    ]);
    expect(verify('logged.json', '--log', 'jwks.json')[0]).toBe(64);
  });
});
