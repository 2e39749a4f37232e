import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useRegistryApi } from './testing.ts';

const { call, merchant } = useRegistryApi();

it('requires a key, and a valid one', async () => {
  expect((await call('tsk_wrong', 'GET', `/merchants/${randomUUID()}`)).status).toBe(401);
  const m = await merchant('revoked.example');
  const made = (await call(m.key, 'POST', `/merchants/${m.id}/api-keys`, { label: 'x' })).json;
  expect((await call(made.key, 'GET', `/merchants/${m.id}`)).status).toBe(200);
  expect((await call(m.key, 'DELETE', `/merchants/${m.id}/api-keys/${made.id}`)).status).toBe(204);
  expect((await call(made.key, 'GET', `/merchants/${m.id}`)).status).toBe(401);
});
