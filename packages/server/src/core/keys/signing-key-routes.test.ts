import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../../testing.ts';

const KEYS = '/api/v1/registry/signing-keys';

interface Listed {
  readonly keys: readonly { kid: string; purpose?: string; state: string; revokedAt?: string }[];
}

describe('the signing keys of an operator', () => {
  let service: TestService;
  let ahead = 0;
  beforeAll(async () => {
    service = await testService({ overrides: { clock: () => new Date(Date.now() + ahead) } });
  });
  afterAll(() => service.dispose());

  const list = async () =>
    ((await service.operate('GET', KEYS)) as Listed).keys.filter(({ purpose }) => purpose === 'proofs');
  const kidOf = async (state: string) => (await list()).find((key) => key.state === state)?.kid ?? '';
  const published = async () => {
    const { keys } = (await (await fetch(`${service.url}/api/v1/.well-known/jwks.json`)).json()) as Listed;
    return keys.map(({ kid }) => kid);
  };

  it('are listed by state, without any private part', async () => {
    const keys = await list();
    expect(keys.map(({ state }) => state).toSorted()).toEqual(['active', 'standby', 'standby']);
    expect(Object.keys(keys[0] ?? {}).join()).not.toMatch(/private|jwk|sealed/i);
  });

  it('are rotated once a standby has been published for a day, and no earlier', async () => {
    const rotate = () => service.operate('POST', `${KEYS}/rotate`);
    const next = await kidOf('standby');
    await expect(rotate()).rejects.toThrow(/409.*standby_key_too_new/);
    ahead = 2 * 86_400_000;
    expect(await rotate()).toMatchObject({ kid: next, state: 'active' });
    expect(await kidOf('retired')).not.toBe('');
  });

  it('leave the JWKS at once when revoked, and the oldest standby is promoted', async () => {
    const leaked = await kidOf('active');
    const next = await kidOf('standby');
    const revoked = await service.operate('POST', `${KEYS}/${leaked}/revoke`);
    expect(revoked).toMatchObject({ kid: leaked, state: 'revoked', revokedAt: expect.any(String) });
    expect(await published()).not.toContain(leaked);
    expect(await kidOf('active')).toBe(next);
    // again changes nothing
    expect(await service.operate('POST', `${KEYS}/${leaked}/revoke`)).toEqual(revoked);
  });

  it('withdraw what they signed when they are revoked: listed for each merchant, with the reason', async () => {
    const kid = await kidOf('active');
    const { id } = (await service.operate('POST', '/api/v1/registry/merchants', {
      name: 'N',
      planCapacity: 1,
    })) as { id: string };
    const store = (await service.operate('POST', '/api/v1/registry/stores', {
      merchantId: id,
      name: 'Shop',
      url: 'https://shop.example/',
    })) as { id: string };
    const row = { externalProductId: 'cup', name: 'Cup', url: 'https://shop.example/cup' };
    const put = await service.operate('PUT', `/api/v1/registry/stores/${store.id}/products`, [row]);
    const [product] = (put as { results: { id: string }[] }).results;
    // not issued in advance
    const certificate = await fetch(`${service.url}/api/v1/mc4p/products/${product?.id}/certificate`);
    expect(certificate.status).toBe(200);
    await service.operate('POST', `${KEYS}/${kid}/revoke`, { reason: 'its backup was stolen' });
    const listed = await service.operate('GET', `/api/v1/registry/withdrawals?merchantId=${id}`);
    expect(listed).toMatchObject({
      withdrawals: [{ cause: 'key_revoked', kid, reason: 'its backup was stolen', merchantId: id }],
    });
    const tooLong = await fetch(`${service.url}${KEYS}/${kid}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'x'.repeat(501) }),
    });
    expect(tooLong.status).toBe(422);
  });

  it('answer 404 for an unknown key, and are only for operators', async () => {
    await expect(service.operate('POST', `${KEYS}/nobody/revoke`)).rejects.toThrow(
      /404.*signing_key_unknown/,
    );
    const { id } = (await service.operate('POST', '/api/v1/registry/merchants', {
      name: 'M',
      planCapacity: 1,
    })) as { id: string };
    const { key } = (await service.operate('POST', `/api/v1/registry/merchants/${id}/api-keys`)) as {
      key: string;
    };
    const asMerchant = await fetch(`${service.url}${KEYS}`, { headers: { authorization: `Bearer ${key}` } });
    expect(asMerchant.status).toBe(403);
  });
});
