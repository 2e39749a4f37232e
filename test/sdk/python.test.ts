import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_PYTHON, PYTHON, PYTHON_ENV, PYTHON_SDK, WHY_NO_PYTHON } from '../kit/python.ts';
import { startPython } from '../scenarios/transports/python.ts';
import { DOCUMENTS, DOCUMENTS_TIMEOUT, differences, SAME } from './differences.ts';

/** What else must be installed to build a wheel; the interpreter of the tests may lack it. */
const BUILDERS = [PYTHON, '/usr/bin/python3'];
const builder =
  NO_PYTHON === null
    ? BUILDERS.find((one) => spawnSync(one, ['-c', 'import setuptools, wheel']).status === 0)
    : undefined;
const noBuilder =
  NO_PYTHON ?? (builder === undefined ? 'python3-setuptools or python3-wheel is missing' : null);

describe.skipIf(NO_PYTHON !== null)(`the Python package${WHY_NO_PYTHON}`, () => {
  it('passes its own tests', () => {
    const args = ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
    const { status, stderr } = spawnSync(PYTHON, args, {
      cwd: PYTHON_SDK,
      env: PYTHON_ENV,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Ran [1-9]\d* tests/m)]);
  });

  it(`says of ${DOCUMENTS} generated documents what the SDK says`, {
    timeout: DOCUMENTS_TIMEOUT,
  }, async () => {
    const program = startPython();
    try {
      expect(await differences(program)).toEqual(SAME);
    } finally {
      program.close();
    }
  });
});

describe.skipIf(noBuilder !== null)(
  `the wheel and the source archive of the Python package${noBuilder === null ? '' : ` (skipped: ${noBuilder})`}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-python-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('are built without a network, and contain what an import needs', () => {
      // what is built leaves files beside the sources
      cpSync(PYTHON_SDK, join(folder, 'sources'), { recursive: true });
      const build = `from setuptools import build_meta
build_meta.build_sdist("../built"); build_meta.build_wheel("../built")`;
      const built = spawnSync(String(builder), ['-c', build], {
        cwd: join(folder, 'sources'),
        encoding: 'utf8',
      });
      expect([built.status, built.status === 0 ? '' : built.stderr]).toEqual([0, '']);
      expect(readdirSync(join(folder, 'built')).map((name) => name.replace(/-\d+\.\d+\.\d+/, ''))).toEqual(
        expect.arrayContaining(['touchstone-certificate.tar.gz', 'touchstone_certificate-py3-none-any.whl']),
      );
      // a wheel is an archive that Python imports from
      const wheel = readdirSync(join(folder, 'built')).find((name) => name.endsWith('.whl')) ?? '';
      const use = `import touchstone_certificate, importlib.resources as r
print(touchstone_certificate.__file__, touchstone_certificate.__version__)
print((r.files("touchstone_certificate") / "py.typed").is_file())`;
      const { stdout, stderr } = spawnSync(PYTHON, ['-c', use], {
        env: { ...process.env, PYTHONPATH: join(folder, 'built', wheel) },
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(stdout).toContain(wheel);
      expect(stdout).toContain('True');
    });
  },
);
