import { execFile } from 'node:child_process';
import { chmod, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openImageWorkers } from '@touchstone/image/node';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { DEVELOPMENT_LABEL, developmentChain } from './development-chain.ts';
import { pinTrustList } from './pin-trust-list.ts';
import { openSigner, SignerFileError } from './signer.ts';
import { signTestPicture } from './tested-signer.ts';
import { openTrustLists, trustListPath } from './trust-list.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

const folder = useFolder('signer');

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

describe('the chain that signs images', () => {
  it('is created at the first start, readable by the owner only, and says that it is for development', async () => {
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

  it('is created again if it is for development and has expired, so that the service still starts', async () => {
    const first = await openSigner(undefined, folder, NOW);
    const later = new Date(first.validUntil.getTime() + 1_000);
    const second = await openSigner(undefined, folder, later);
    expect(second.validUntil > later).toBe(true);
    expect(await openSigner(undefined, folder, later)).toEqual(second);
  });

  it("is the operator's if its files are configured", async () => {
    const { credentials, isDevelopment } = await openSigner(await files('own'), folder, NOW);
    expect([credentials.algorithm, isDevelopment]).toEqual(['es256', false]);
  });

  it('is refused, with advice, if the key is readable by others, does not match, is missing or has expired', async () => {
    const own = await files('refused');
    const other = await files('other');
    expect(await refusal(await files('open', 0o644))).toMatch(/chmod 600/);
    expect(await refusal({ ...own, keyFile: other.keyFile })).toMatch(/not the key of the first certificate/);
    expect(await refusal({ ...own, certFile: join(folder, 'nowhere') })).toMatch(/cannot be read/);
    expect(await refusal({ certFile: own.keyFile, keyFile: own.keyFile })).toMatch(/holds no certificate/);
    expect(await refusal(own, new Date('2066-01-01T00:00:00Z'))).toMatch(/expired/);
  });
});

describe('the trust lists', () => {
  const nowhere = { signers: undefined, legacy: undefined, time_stamps: undefined, identities: undefined };

  it('are empty without a file, and identified by the name and date of their files', async () => {
    const dataDir = join(folder, 'empty');
    expect(await openTrustLists({ trustFiles: nowhere, dataDir })).toMatchObject({
      name: 'none',
      further: [],
    });
    const { certFile } = await files('anchors');
    const lists = await openTrustLists({
      trustFiles: { ...nowhere, signers: certFile, time_stamps: certFile },
      dataDir,
    });
    const list = { name: 'anchors.crt', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) };
    expect(lists).toMatchObject({ ...list, further: [{ purpose: 'time_stamps', ...list }] });
    const broken = join(folder, 'broken.pem');
    await writeFile(broken, 'no certificate');
    await expect(openTrustLists({ trustFiles: { ...nowhere, identities: broken }, dataDir })).rejects.toThrow(
      /TOUCHSTONE_CAWG_TRUST_FILE .* it holds no certificate/,
    );
  });

  it('that were pinned in the data folder have their own name and date, whatever became of the file', async () => {
    const dataDir = join(folder, 'pinned');
    const path = trustListPath('legacy', { trustFiles: nowhere, dataDir });
    const { certificateChainPem } = await developmentChain(NOW);
    const [leaf = '', authority = ''] = certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    const list = { name: 'Old anchors', date: '2025-01-31' };
    const first = await pinTrustList(path, { ...list, text: leaf + leaf }, NOW, false);
    expect(first).toMatchObject({ ...list, certificates: 1, before: null, removed: [], expired: [] });
    expect(first.added.map(({ subject }) => subject)).toEqual([expect.stringContaining(DEVELOPMENT_LABEL)]);
    await utimes(path, NOW, NOW);
    const { further } = await openTrustLists({ trustFiles: nowhere, dataDir });
    expect(further).toMatchObject([{ purpose: 'legacy', ...list }]);

    const next = { text: `comment\n${authority}`, name: 'New anchors', date: '2026-11-01' };
    const later = new Date('2066-01-01T00:00:00Z');
    for (const isTrial of [true, false]) {
      const change = await pinTrustList(path, next, later, isTrial);
      expect(change.before).toEqual(list);
      expect([change.added.length, change.removed, change.expired.length]).toEqual([1, first.added, 1]);
    }
    expect(await pinTrustList(path, next, NOW, true)).toMatchObject({ added: [], removed: [] });
    await expect(pinTrustList(path, { ...next, text: authority.slice(0, 200) }, NOW, false)).rejects.toThrow(
      /other than whole certificates/,
    );
    expect(await pinTrustList(path, next, NOW, true)).toMatchObject({ before: { name: 'New anchors' } });
  });
});

describe('a chain that cannot sign', () => {
  it('is detected by a test signature, with the reasons of the engine and advice', async () => {
    const trust = { name: 'nobody', date: '2026-11-21', anchorsPem: '' };
    const workers = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
    try {
      const now = new Date();
      const good = await files('signs');
      const { manifest } = await signTestPicture(await openSigner(good, folder, now), good, workers);
      expect(manifest.valid).toBe(true);

      // the authority signs by itself: key usage and extended key usage are not those of a signer
      const bad = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
      const subject = ['-subj', '/CN=shop.example/O=Shop', '-addext', 'extendedKeyUsage=serverAuth'];
      const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
      const out = ['-keyout', bad.keyFile, '-out', bad.certFile];
      await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, ...out]);
      await chmod(bad.keyFile, 0o600);
      const refused = signTestPicture(await openSigner(bad, folder, now), bad, workers);
      await expect(refused).rejects.toThrow(SignerFileError);
      await expect(refused).rejects.toThrow(/tls\.crt: .*signingCredential.*C2PA certificate profile/s);
    } finally {
      await workers.close();
    }
  });
});
