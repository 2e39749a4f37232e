import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** The Python package, `sdk/python`. */
export const PYTHON_SDK = join(ROOT, 'sdk/python');

/** Whoever runs the package imports it from there, and leaves no compiled files in the repository. */
export const PYTHON_ENV = { ...process.env, PYTHONPATH: PYTHON_SDK, PYTHONDONTWRITEBYTECODE: '1' };

// the program itself: where `python3` is a script that looks for it first (pyenv), each start would take half a second more
const asked = ['python3', '/usr/bin/python3'].map((program) =>
  spawnSync(program, ['-c', 'import sys; print(sys.executable); import cryptography'], { encoding: 'utf8' }),
);
const able = asked.find(({ status }) => status === 0);

/** Why nothing in Python can run here; `null` if it can. */
export const NO_PYTHON =
  able !== undefined
    ? null
    : asked.some(({ stdout }) => stdout)
      ? 'Python has no cryptography: python3-cryptography is missing'
      : 'there is no python3';

/** For the title of a test. */
export const WHY_NO_PYTHON = NO_PYTHON === null ? '' : ` (skipped: ${NO_PYTHON})`;

/** An interpreter that has `cryptography`, the only dependency of the package. */
export const PYTHON = able?.stdout.trim() ?? 'python3';
