import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { openImageWorkers } from '@touchstone/image/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { pictures } from '../../../../test/images/pictures.ts';
import { useFolder } from '../../../../test/kit/folder.ts';
import { listen } from '../../../../test/kit/servers.ts';
import { developmentChain } from '../../../server/src/core/images/development-chain.ts';
import { runCli } from '../testing.ts';

const folder = useFolder('inspect');
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  const { 'image/jpeg': jpeg } = await pictures();
  const signer = await developmentChain(new Date());
  const trust = { name: '', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
  const manifest = {
    title: 'A cup \u001b[5m',
    claimGenerator: { name: 'Touchstone', version: '1.2.3' },
    actions: [],
    assertions: [{ label: 'org.example.product', data: { page: 'https://shop.example/cup' } }],
  };
  const signed = await workers.sign(jpeg, manifest, signer);
  await workers.close();
  writeFileSync(path('plain.jpg'), jpeg);
  writeFileSync(path('signed.jpg'), signed);
  writeFileSync(path('tampered.jpg'), signed.with(signed.length - 20, 1));
  writeFileSync(
    path('authority.pem'),
    signer.certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/)[1] ?? '',
  );
});

describe('touchstone inspect', () => {
  it.each([
    ['signed.jpg', 0, 'VALID MANIFEST'],
    ['tampered.jpg', 1, 'INVALID MANIFEST'],
    ['plain.jpg', 2, 'NO MANIFEST'],
  ])('prints the verdict on %s first, and exits with %i', async (name, code, title) => {
    const ran = await runCli(['inspect', path(name)]);
    expect(ran.out.split('  ')[0]).toBe(title);
    expect(ran.code).toBe(code);
  });

  it('says whether the signer is trusted, and by which list, separately from the verdict', async () => {
    const untrusted = await runCli(['inspect', path('signed.jpg')]);
    expect(untrusted.out).toContain('signer not trusted (no trust list was given)');
    const trusted = await runCli(['inspect', path('signed.jpg'), '--trust', path('authority.pem'), '--json']);
    expect(trusted.json()).toMatchObject({
      manifest: { valid: true, trust: { status: 'trusted', list: path('authority.pem') } },
    });
    expect([untrusted.code, trusted.code]).toEqual([0, 0]);
  });

  it('names what failed, and escapes text of the image before printing it', async () => {
    const { out } = await runCli(['inspect', path('tampered.jpg')], { terminal: true });
    expect(out).toContain('assertion.dataHash.mismatch');
    expect(out).toContain('A cup');
    expect(out).not.toContain('\u001b[5m');
  });

  it('prints hashes of a file without a manifest', async () => {
    const told = (await runCli(['inspect', path('plain.jpg'), '--json'])).json();
    expect(told).toMatchObject({ uhash: expect.stringMatching(/^[0-9a-f]{64}$/), header: { width: 96 } });
  });

  it('exits with 3 if the file is not an image, and with 64 if the address is invalid', async () => {
    const text = await runCli(['inspect', '-'], { stdin: 'no image' });
    expect([text.code, text.err]).toEqual([3, expect.stringContaining('not a JPEG, PNG')]);
    expect((await runCli(['inspect', path('missing.jpg')])).code).toBe(64);
    expect((await runCli(['inspect', path('plain.jpg'), '--trust', path('plain.jpg')])).code).toBe(64);
  });

  it('fetches an image under the same guard as pages, and exits with 3 if it cannot be fetched', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/cup.jpg' ? 200 : 404).end(readFileSync(path('signed.jpg')));
    });
    const port = await listen(server);
    const connect = ['--connect-to', `shop.example=127.0.0.1:${port}`];
    const found = await runCli(['inspect', 'http://shop.example/cup.jpg', ...connect]);
    expect([found.code, found.out]).toEqual([0, expect.stringContaining('http://shop.example/cup.jpg')]);
    const gone = await runCli(['inspect', 'http://shop.example/mug.jpg', ...connect]);
    expect([gone.code, gone.err]).toEqual([3, expect.stringContaining('404')]);
    const inside = await runCli(['inspect', `http://127.0.0.1:${port}/cup.jpg`]);
    expect([inside.code, inside.err]).toEqual([3, expect.stringMatching(/port_blocked|address_blocked/)]);
    await new Promise((resolve) => server.close(resolve));
  });
});
