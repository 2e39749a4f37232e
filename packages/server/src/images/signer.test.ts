import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPMENT_LABEL, developmentChain } from './development-chain.ts';
import { openSigner, SignerFileError } from './signer.ts';
import { openTrustList } from './trust-list.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-signer-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An operator's files, as they were handed over. */
async function files(name: string, mode = 0o600) {
  const chain = await developmentChain(NOW);
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  await writeFile(certFile, chain.certificateChainPem);
  await writeFile(keyFile, chain.privateKeyPem);
  await chmod(keyFile, mode);
  return { certFile, keyFile };
}

const refusal = (given: { certFile: string; keyFile: string }, now = NOW) =>
  openSigner(given, folder, now).then(
    () => 'opened',
    (error: unknown) => (error instanceof SignerFileError ? error.message : `fault: ${String(error)}`),
  );

describe('the chain that images are signed by', () => {
  it('is made at the first start, for the owner only, and says that it is for development', async () => {
    const first = await openSigner(undefined, folder, NOW);
    expect(first.isDevelopment).toBe(true);
    expect((await stat(join(folder, 'image-signer-development.key.pem'))).mode & 0o777).toBe(0o600);
    const certificate = Buffer.from(
      first.credentials.certificateChainPem.replace(/-----[^-]+-----|\s/g, ''),
      'base64',
    );
    expect(certificate.includes(DEVELOPMENT_LABEL)).toBe(true);
    expect(await openSigner(undefined, folder, NOW)).toEqual(first);
  });

  it('for development is made anew once it has ended, so that the service still starts', async () => {
    const first = await openSigner(undefined, folder, NOW);
    const later = new Date(first.validUntil.getTime() + 1_000);
    const second = await openSigner(undefined, folder, later);
    expect(second.validUntil > later).toBe(true);
    expect(await openSigner(undefined, folder, later)).toEqual(second);
  });

  it("is the operator's where its files are given", async () => {
    const { credentials, isDevelopment } = await openSigner(await files('own'), folder, NOW);
    expect([credentials.algorithm, isDevelopment]).toEqual(['es256', false]);
  });

  it('is refused, with what to do, where the key is open to others, foreign, missing or past its time', async () => {
    const own = await files('refused');
    const other = await files('other');
    expect(await refusal(await files('open', 0o644))).toMatch(/chmod 600/);
    expect(await refusal({ ...own, keyFile: other.keyFile })).toMatch(/not the key of the first certificate/);
    expect(await refusal({ ...own, certFile: join(folder, 'nowhere') })).toMatch(/cannot be read/);
    expect(await refusal({ certFile: own.keyFile, keyFile: own.keyFile })).toMatch(/holds no certificate/);
    expect(await refusal(own, new Date('2066-01-01T00:00:00Z'))).toMatch(/expired/);
  });
});

describe('the trust list', () => {
  it('is nobody without a file, and known by the name and day of the file', async () => {
    expect((await openTrustList(undefined)).name).toBe('none');
    const { certFile } = await files('anchors');
    expect(await openTrustList(certFile)).toMatchObject({
      name: 'anchors.crt',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    await writeFile(join(folder, 'broken.pem'), 'no certificate');
    await expect(openTrustList(join(folder, 'broken.pem'))).rejects.toThrow(/TOUCHSTONE_C2PA_TRUST_FILE/);
  });
});
