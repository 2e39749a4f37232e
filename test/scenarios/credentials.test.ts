import { verifyProductCertificate } from '@touchstone/certificate';
import { verifyEnvelope } from '@touchstone/certificate/envelope';
import { importJWK, jwtVerify } from 'jose';
import { expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, useScene } from '../kit/service.ts';

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const VC_JWT = 'application/vc+jwt';
const path = (id: string) => `/api/v1/mc4p/products/${id}/certificate`;
const ask = (id: string, headers: Record<string, string>) => fetch(scene.service.url + path(id), { headers });
const jwks = await (await fetch(`${scene.service.url}/api/v1/.well-known/jwks.json`)).json();

scenario(
  'A certificate is given out as a W3C credential to who asks for one, the same bytes each time, and the certificate to all others',
  covers('CREDENTIAL'),
  async () => {
    const response = await ask(kettle.id, { accept: VC_JWT });
    const envelope = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(VC_JWT);
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(response.headers.get('surrogate-key')).toBe(`product-${kettle.id}`);
    expect(await (await ask(kettle.id.toUpperCase(), { accept: VC_JWT })).text()).toBe(envelope);
    const etag = response.headers.get('etag') ?? '';
    expect((await ask(kettle.id, { accept: VC_JWT, 'if-none-match': etag })).status).toBe(304);
    for (const accept of ['*/*', 'application/ld+json', `application/json, ${VC_JWT};q=0.5`]) {
      const other = await ask(kettle.id, { accept, 'if-none-match': etag });
      expect([other.status, other.headers.get('content-type')]).toEqual([200, 'application/ld+json']);
    }
    const page = await ask(kettle.id, { accept: `text/html, ${VC_JWT}` });
    expect(page.headers.get('content-type')).not.toBe(VC_JWT);
  },
);

scenario(
  'The credential verifies by another library and by ours, with the published keys, and the certificate in it on its page and no other',
  covers('CREDENTIAL'),
  async () => {
    const envelope = await (await ask(kettle.id, { accept: VC_JWT })).text();
    const [key] = (jwks as { keys: { kid: string }[] }).keys.filter(({ kid }) =>
      envelope.startsWith(headerOf(kid)),
    );
    const { payload } = await jwtVerify(envelope, await importJWK(key as object, 'RS256'), { typ: 'vc+jwt' });
    const certificate = await scene.certificate(kettle.id);
    expect(payload).toMatchObject({
      '@context': ['https://www.w3.org/ns/credentials/v2', { svc: `${BASE_URL}/ns#` }],
      issuer: BASE_URL,
      iss: BASE_URL,
      credentialSubject: { id: `urn:uuid:${kettle.id}`, url: kettle.url, certificate },
    });
    const trusting = { trustedIssuers: [BASE_URL], jwks, now: new Date() };
    const finding = await verifyEnvelope(envelope, trusting);
    expect(finding).toMatchObject({ valid: true, certificate });
    const statusOn = async (pageUrl: string) =>
      (await verifyProductCertificate(finding.certificate, { ...trusting, pageUrl })).status;
    expect([await statusOn(kettle.url), await statusOn('http://copy.example/kettle')]).toEqual([
      'verified',
      'failed',
    ]);
  },
);

scenario(
  'A product that is not active has no credential: its document says who it is, and the command line says why there is none',
  covers('CREDENTIAL'),
  async () => {
    const find = (format: string) =>
      runCli(['certificates', 'find', kettle.url, '--format', format, '--service', scene.service.url]);
    const printed = await find('vc+jwt');
    expect([printed.code, printed.out.trim()]).toEqual([
      0,
      await (await ask(kettle.id, { accept: VC_JWT })).text(),
    ]);
    await scene.operate('PATCH', `/products/${kettle.id}`, { visible: false });
    const response = await ask(kettle.id, { accept: VC_JWT });
    expect(response.headers.get('content-type')).toBe('application/ld+json');
    expect(await response.json()).not.toHaveProperty('proof');
    const unknown = await ask('3f0b54ec-6a0c-4d43-a2ee-ae49e0c8a0a6', { accept: VC_JWT });
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  },
);

/** The first part of every envelope by this key. */
function headerOf(kid: string): string {
  return Buffer.from(JSON.stringify({ alg: 'RS256', kid, typ: 'vc+jwt', cty: 'vc' })).toString('base64url');
}
