import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../packages/cli/src/testing.ts';
import { useFolder } from './kit/folder.ts';
import { openStore, operate, putProducts } from './kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from './kit/serve-process.ts';
import { freePort } from './kit/servers.ts';

const folder = useFolder('two-operators');
const stopping = new AbortController();
const services: ServeProcess[] = [];
afterAll(async () => {
  stopping.abort();
  await Promise.all(services.map((one) => one.stop()));
});

/** A service whose log is witnessed by the witness of the other operator, which may not run yet. */
async function serviceOf(
  name: string,
  witness: { readonly vkey: string; readonly port: number },
): Promise<ServeProcess> {
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const policy = join(own, 'policy');
  const line = `witness other ${witness.vkey} http://localhost:${witness.port}`;
  await writeFile(policy, `${line}\nquorum other\n`);
  const service = spawnServe({
    port: await freePort(),
    dataDir: join(own, 'data'),
    env: {
      TOUCHSTONE_LOG_POLICY: policy,
      // a witness on this machine, unlike others, has a private address and a port of its own
      TOUCHSTONE_FETCH_PORTS: `80,443,${witness.port}`,
      TOUCHSTONE_FETCH_CONNECT_TO: `localhost:${witness.port}=127.0.0.1:${witness.port}`,
    },
  });
  services.push(service);
  return service;
}

it('two operators witness each other, with one command each: what one issues is witnessed by the other', async () => {
  const witnesses = [];
  for (const name of ['one', 'two']) {
    const own = join(folder, `witness-${name}`);
    const { out } = await runCli(['witness', 'key', `witness.${name}.example`, '--folder', own]);
    witnesses.push({ own, vkey: out.trim(), port: await freePort() });
  }
  const [first, second] = witnesses as [(typeof witnesses)[0], (typeof witnesses)[0]];
  const one = await serviceOf('one', second);
  const two = await serviceOf('two', first);
  await Promise.all([untilReady(one), untilReady(two)]);
  for (const [{ own, port }, { url }] of [
    [first, two],
    [second, one],
  ] as const) {
    const argv = ['witness', 'run', '--folder', own, '--port', String(port)];
    void runCli([...argv, '--log', `${url}/api/v1/mc4p/log/policy`], { stop: stopping.signal });
  }
  for (const service of [one, two]) {
    const merchant = await operate<{ id: string }>(service, 'POST', '/merchants', {
      name: 'M',
      planCapacity: 5,
    });
    const store = await openStore(service, 'https://shop.example', { merchantId: merchant.id, name: 'Shop' });
    const rows = [{ externalProductId: 'cup', name: 'Cup', url: 'https://shop.example/products/cup' }];
    const [id = ''] = await putProducts(service, store.id, rows);
    const certificate = await operate(service, 'GET', `/api/v1/mc4p/products/${id}/certificate`);
    const file = join(folder, 'cup.json');
    await writeFile(file, JSON.stringify(certificate));
    const proof = () => runCli(['log', 'proof', file, '--service', service.url]);
    await expect.poll(proof).toMatchObject({ code: 0, err: expect.stringContaining('witnessed by other') });
    const monitored = await runCli(['log', 'monitor', '--domain', 'shop.example', service.url, '--json']);
    expect(monitored.code, monitored.err).toBe(0);
    expect(monitored.json()).toMatchObject({ logs: [{ found: 1, quorum: true, witnesses: ['other'] }] });
    expect(await runCli(['log', 'audit', service.url, '--certificates', file])).toMatchObject({ code: 0 });
  }
});
