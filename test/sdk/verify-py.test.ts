import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostOf } from '@touchstone/certificate/binding';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { NO_PYTHON, PYTHON, PYTHON_ENV, WHY_NO_PYTHON } from '../kit/python.ts';

const run = promisify(execFile);

describe.skipIf(NO_PYTHON !== null)(`examples/verify.py, as a command${WHY_NO_PYTHON}`, () => {
  const folder = useFolder('python');
  beforeAll(async () => {
    const issuer = await createTestIssuer();
    const certificate = await issuer.certificate();
    const { proof: _, ...identity } = certificate;
    const files = { certificate, identity, jwks: issuer.jwks, nokeys: { keys: [] } };
    for (const [name, value] of Object.entries(files)) {
      await writeFile(join(folder, `${name}.json`), JSON.stringify(value));
    }
  });

  const verify = async (document: string, ...changes: readonly string[]): Promise<number> => {
    const keys = changes.includes('--jwks') ? [] : ['--jwks', 'jwks.json'];
    const defaults = ['--page-url', TEST_PRODUCT.url, ...keys, '--now', TEST_NOW.toISOString()];
    const args = [join(ROOT, 'examples/verify.py'), document, ...defaults, ...changes];
    return run(PYTHON, args, { cwd: folder, env: PYTHON_ENV }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );
  };

  it('exits with the code of the verdict', async () => {
    const trusting = ['--issuer', TEST_ISSUER];
    expect(await verify('certificate.json', ...trusting)).toBe(0);
    expect(await verify('certificate.json', ...trusting, '--page-url', 'https://copy.example/')).toBe(1);
    expect(await verify('identity.json', ...trusting)).toBe(2);
    expect(await verify('certificate.json')).toBe(3);
    expect(await verify('certificate.json', ...trusting, '--jwks', 'nokeys.json')).toBe(3);
    expect(await verify('certificate.json', ...trusting, '--jwks', 'absent.json')).toBe(64);
    expect(await verify('certificate.json', '--nonsense')).toBe(64);
  });

  it('verifies proofs of several issuers by the keys of each, which must be named', async () => {
    const other = 'https://other.example';
    const signed = await (await createTestIssuer()).certificate();
    await writeFile(join(folder, 'crossed.json'), JSON.stringify(signed));
    const ask = (document: string, ...sets: string[]) => {
      const keys = sets.flatMap((set) => ['--jwks', set]);
      return verify(document, '--issuer', TEST_ISSUER, '--issuer', other, ...keys);
    };
    const named = [`${TEST_ISSUER}=jwks.json`, `${other}=nokeys.json`];
    expect(await ask('certificate.json', `${TEST_ISSUER}=jwks.json`, `${other}=jwks.json`)).toBe(0);
    expect(await ask('certificate.json', `${TEST_ISSUER},${other}=jwks.json`)).toBe(0);
    expect(await ask('crossed.json', `${TEST_ISSUER}=jwks.json`, `${other}=jwks.json`)).toBe(1);
    expect(await ask('certificate.json', ...named)).toBe(3);
    for (const unclear of [['jwks.json'], named.slice(0, 1), [...named, named[0] ?? '']]) {
      expect([unclear, await ask('certificate.json', ...unclear)]).toEqual([unclear, 64]);
    }
  });

  it('names the file that does not contain JSON', async () => {
    await writeFile(join(folder, 'page.html'), '<html>');
    const args = ['certificate.json', '--page-url', TEST_PRODUCT.url, '--jwks', 'page.html'];
    const ran = run(PYTHON, [join(ROOT, 'examples/verify.py'), ...args], { cwd: folder, env: PYTHON_ENV });
    await expect(ran).rejects.toMatchObject({
      code: 64,
      stderr: expect.stringContaining('A file cannot be read: page.html holds no JSON: '),
    });
  });

  it('accepts no host that the core refuses, and reads every other one as the core does', async () => {
    const hosts = [
      'xn--a.b\u00fccher.example',
      'xn--abc-.b\u00fccher.example',
      'xn--8cd.b\u00fccher.example',
      'xn--bcher-kva.b\u00fccher.example',
      'b\u{e0100}cher.example',
      'b\u17b4cher.example',
      'b\u00adcher.example',
      '1_0.2',
      '+1.2',
      '0x7f.1',
    ];
    const print = `import json, sys; from touchstone_certificate import host_of
print(json.dumps([host_of("https://" + host + "/") for host in json.loads(sys.argv[1])]))`;
    const { stdout } = await run(PYTHON, ['-c', print, JSON.stringify(hosts)], { env: PYTHON_ENV });
    expect(JSON.parse(stdout)).toEqual(hosts.map((host) => hostOf(`https://${host}/`)));
  });
});
