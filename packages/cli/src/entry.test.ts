import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { PATIENT } from '../../../test/kit/patience.ts';

const BIN = join(import.meta.dirname, '../bin/touchstone.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the program as a user does, in a separate process. */
function touchstone(argv: readonly string[], stdin = '', env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], {
      env: { PATH: process.env.PATH ?? '', ...env },
      timeout: PATIENT.timeout,
    });
    const written = { out: '', err: '' };
    child.stdout.on('data', (piece) => (written.out += String(piece)));
    child.stderr.on('data', (piece) => (written.err += String(piece)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
    child.stdin.end(stdin);
  });
}

describe('the program as a process', () => {
  it('exits with the documented codes', async () => {
    const page = ['read', '-', '--url', 'https://shop.example/'];
    expect(await touchstone(page, '<p>hello</p>')).toMatchObject({ code: 0, err: '' });
    expect(await touchstone(['verify', '-', '--page-url', 'https://shop.example/'], '{}')).toMatchObject({
      code: 3,
      out: '',
    });
    const env = { TOUCHSTONE_ISSUER: 'https://certs.example' };
    const none = await touchstone(['verify', '-', '--page-url', 'https://shop.example/'], '<p>', env);
    expect(none).toMatchObject({ code: 2, out: expect.stringMatching(/^NO CERTIFICATE/) });
    expect(await touchstone(['nonsense'])).toMatchObject({ code: 64, out: '' });
    const away = await touchstone(['check', 'https://shop.example/'], '', {
      TOUCHSTONE_SERVICE: 'http://127.0.0.1:1',
    });
    expect(away).toMatchObject({ code: 3, err: expect.stringContaining('touchstone serve') });
  });

  it('leaves nothing behind when its reader closes the pipe, not even the database of a demo', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-unread-'));
    try {
      const child = spawn(process.execPath, [BIN, 'demo', '--once'], {
        env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      child.stdout.once('data', () => child.stdout.destroy());
      expect(await once(child, 'exit')).toEqual([3, null]);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says in one line which Node it needs, where sources cannot run and none is installed beside them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-sources-'));
    try {
      await cp(BIN, join(folder, 'packages/cli/bin/touchstone.js'));
      await writeFile(join(folder, 'package.json'), '{"type": "module"}');
      const old = ['--no-experimental-strip-types', join(folder, 'packages/cli/bin/touchstone.js'), 'serve'];
      const child = spawn(process.execPath, old, { stdio: ['ignore', 'ignore', 'pipe'] });
      const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect(told).toMatch(/^error: The sources need Node 22\.18 or newer, and this is Node [\d.]+; .*\n$/);
      expect(code).toBe(3);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('writes no colours into a pipe', async () => {
    const { out } = await touchstone(['read', '-', '--url', 'https://shop.example/'], '<p>');
    expect(out).not.toContain('\u001b');
  });
});
