import { createTrust, verifyProductCertificate } from '@touchstone/certificate';
import { expect, onTestFinished } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { httpServer } from '../kit/servers.ts';
import { BASE_URL, openScene, type Scene } from '../kit/service.ts';

const JWKS = '/api/v1/.well-known/jwks.json';

/** A shared cache in front of the service that has the first answer for an hour. */
async function cacheOf({ service }: Scene, { asksTheService }: { asksTheService: boolean }): Promise<string> {
  let kept: { readonly text: string; readonly at: number } | undefined;
  const server = await httpServer(async (request, response) => {
    const isPast = /no-cache/.test(request.headers['cache-control'] ?? '') && asksTheService;
    const isKept = kept !== undefined && !isPast;
    if (!isKept) kept = { text: await (await fetch(service.url + request.url)).text(), at: Date.now() };
    const seconds = Math.floor((Date.now() - (kept?.at ?? 0)) / 1000);
    const age = isKept ? { age: String(seconds) } : {};
    response.writeHead(200, { 'cache-control': 'public, max-age=3600', ...age }).end(kept?.text);
  });
  onTestFinished(server.close);
  return server.url + JWKS;
}

for (const [cache, asksTheService, expected] of [
  ['asks the service if it is told to', true, 'verified'],
  ['never asks the service again', false, 'keys_unavailable'],
] as const) {
  const name = `behind a cache that ${cache}, a certificate by a key that was created after all others were revoked: ${expected}`;
  scenario(name, covers('KEYS-NEWER', 'KEYS-REVOKED'), async () => {
    const scene = await openScene();
    onTestFinished(() => scene.close());
    const store = await scene.store('shop.example');
    const kettle = await store.product('kettle');
    const jwksUrl = await cacheOf(scene, { asksTheService });
    const trust = createTrust({ trustedIssuers: [BASE_URL], jwksUrl });
    const told = async () => {
      const question = { pageUrl: kettle.url, trust, now: new Date() };
      return verifyProductCertificate(await scene.certificate(kettle.id), question).then(
        ({ status }) => status,
        ({ code }: { code?: string }) => code,
      );
    };
    expect(await told()).toBe('verified');
    const { keys } = (await scene.call('GET', JWKS)).json as { keys: { kid: string }[] };
    for (const { kid } of keys) await scene.operate('POST', `/signing-keys/${kid}/revoke`);
    expect(await told()).toBe(expected);
  });
}
