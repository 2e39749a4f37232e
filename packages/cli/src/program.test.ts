import { CANNOT_VERIFY } from '@touchstone/certificate';
import { ERROR_CODES } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { CLI_ERRORS } from './cli-error.ts';
import { runCli } from './testing.ts';
import { VERSION } from './version.ts';

describe('the command line', () => {
  it('exits with 64 and says what is wrong if the arguments cannot be understood', async () => {
    const wrong: readonly (readonly string[])[] = [
      [],
      ['chek'],
      ['check'],
      ['check', '--nope', 'https://shop.example/'],
      ['check', 'shop.example/cup'],
      ['check', 'https://shop.example/', '--service', 'localhost:8787'],
      ['check', 'https://shop.example/', '--service', 'http://127.0.0.1:8787/?x=1'],
      ['check', 'https://shop.example/', '--service', 'http://u:p@127.0.0.1:8787'],
      ['check', 'https://shop.example/', 'surplus'],
      ['read', 'page.html'],
      ['read', '/no/such/file', '--url', 'https://shop.example/'],
      ['read', '/', '--url', 'https://shop.example/'],
      ['verify', 'https://shop.example/', '--page-url', 'https://shop.example/'],
      ['verify', '-', '--page-url', 'https://shop.example/', '--product-id', '7'],
      ['import', '-'],
      ['import', '-', '--store-url', 'shop'],
      ['import', '-', '--store-url', 'https://shop.example', '--shape', 'magento'],
      ['demo', '--port', 'x'],
    ];
    for (const argv of wrong) {
      const { code, err, out } = await runCli(argv);
      expect([argv, code]).toEqual([argv, 64]);
      expect(out, argv.join(' ')).toBe('');
      expect(err.length, argv.join(' ')).toBeGreaterThan(10);
    }
  });

  it('exits with 0 when help or version was asked for, and prints those of this program', async () => {
    for (const argv of [['--help'], ['help'], ['import', '--help'], ['help', 'verify']]) {
      const { code, out } = await runCli(argv);
      expect([argv, code]).toEqual([argv, 0]);
      expect(out).toContain('Usage: touchstone');
    }
    const { code, out } = await runCli(['--version']);
    expect([code, out.split(/[ \n]/)[0]]).toEqual([0, VERSION]);
    expect(out.slice(VERSION.length)).toMatch(/^(?: \([0-9a-f]{40}(?:-dirty)?\))?\n$/);
  });

  it('prints errors in JSON too when JSON was asked for', async () => {
    const { code, out } = await runCli(['--json', 'verify', '-', '--page-url', 'https://shop.example/']);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toEqual({
      error: {
        code: 'no_trusted_issuer',
        message: expect.any(String),
        hint: expect.stringContaining('--issuer'),
      },
    });
  });

  it('gives every error a code in JSON, even if the command itself cannot be understood', async () => {
    const cases: readonly (readonly [code: string, argv: readonly string[]])[] = [
      ['arguments_invalid', []],
      ['arguments_invalid', ['chek']],
      ['arguments_invalid', ['check', '--nope', 'https://shop.example/']],
      ['arguments_invalid', ['read', '/no/such/file']],
      ['credentials_missing', ['stores', 'list']],
      ['confirmation_missing', ['domains', 'remove', 'x', 'shop.example', '--key', 'k']],
      ['service_unreachable', ['check', 'https://shop.example/', '--service', 'http://127.0.0.1:1']],
    ];
    for (const [code, argv] of cases) {
      const { out } = await runCli([...argv, '--json']);
      const { error } = JSON.parse(out) as { error: { code: string; message: string } };
      expect([argv, error.code]).toEqual([argv, code]);
      expect(error.message, argv.join(' ')).not.toMatch(/^error:|^$/);
      expect(Object.hasOwn({ ...CLI_ERRORS, ...ERROR_CODES, ...CANNOT_VERIFY }, error.code)).toBe(true);
    }
  });
});
