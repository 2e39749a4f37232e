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
import { LOG_ANSWERS } from '../kit/log-answers.ts';
import { type LogVector, logVectorsOf } from '../kit/log-vectors.ts';
import { NO_PYTHON, PYTHON, PYTHON_ENV, PYTHON_SDK, WHY_NO_PYTHON } from '../kit/python.ts';
import { type Random, seeded } from '../kit/random.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());

describe.skipIf(NO_PYTHON !== null)(`the Python package, about transparency logs${WHY_NO_PYTHON}`, () => {
  const folder = useFolder('python-log');

  const ask = (file: string, vectors: readonly LogVector[]): unknown[] => {
    const input = vectors.map((vector) => `${JSON.stringify({ log: file, vector })}\n`).join('');
    const driver = join(PYTHON_SDK, 'tests/vectors.py');
    const { stdout, status } = spawnSync(PYTHON, [driver], { input, env: PYTHON_ENV, encoding: 'utf8' });
    expect(status).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(vectors.length);
    return lines.map((line) => JSON.parse(line) as unknown);
  };

  it.each(Object.keys(LOG_ANSWERS))('agrees with the vectors of %s', (file) => {
    const vectors = logVectorsOf<LogVector>(file);
    const answers = ask(file, vectors);
    for (const [at, { id, expect: wanted }] of vectors.entries())
      expect([id, answers[at]]).toEqual([id, wanted]);
  });

  it.each(Object.entries(LOG_ANSWERS))(
    'agrees with the core on 400 changed texts of %s, and neither fails on any',
    async (file, answerTo) => {
      const random = seeded(30);
      const vectors = logVectorsOf<LogVector>(file);
      const changed = Array.from({ length: 400 }, () => {
        const vector = random.of(vectors);
        const member =
          { policy: 'policy', certificates: 'logProof', ended: 'policy', 'tlog-proof': 'proof' }[file] ??
          'note';
        const text = String((vector as unknown as Record<string, unknown>)[member] ?? '');
        return { ...vector, [member]: changedText(text, random) };
      });
      const answers = ask(file, changed);
      for (const [at, vector] of changed.entries())
        expect([vector, answers[at]]).toEqual([vector, await answerTo(vector as never)]);
    },
  );

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
      const { status, stdout } = spawnSync(PYTHON, argv, { cwd: folder, env: PYTHON_ENV, encoding: 'utf8' });
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

/** A text with a character, a line or a stretch of it changed, left out or repeated. */
function changedText(text: string, random: Random): string {
  const at = random.integer(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.integer(random.integer(40) + 1));
  const piece = text.slice(at, end);
  const put = [
    '',
    piece + piece,
    random.of([...'\n\n \t\r+=—-0A9zé\u007f\u00a0\u2028']),
    text.split('\n')[0] ?? '',
  ];
  return text.slice(0, at) + random.of(put) + text.slice(end);
}
