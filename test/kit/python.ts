import { spawnSync } from 'node:child_process';

const asked = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });

/** Whether Python is installed, for `examples/verify.py`. */
export const hasPython = asked.status === 0;

/** The program itself: where `python3` is a script that looks for it first (pyenv), each start would take half a second more. */
export const PYTHON = hasPython ? asked.stdout.trim() : 'python3';
