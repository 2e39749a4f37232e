import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const AT = '2026-03-01T12:00:00.000Z';
const key = (kid: string, state: string, more: object = {}) => ({
  kid,
  purpose: 'proofs',
  state,
  publishedAt: AT,
  certificates: 0,
  ...more,
});

let server: LoopbackServer;
afterEach(() => server?.close());

/** Runs `keys signing` against a service with an active key `a` and a standby `s`. */
async function signing(
  words: readonly string[],
  { certificates = 2_431, answer = '', leaked = {}, canRotate = false } = {},
) {
  const asked: string[] = [];
  let isRevoked = false;
  server = await loopbackServer(({ method, path }) => {
    asked.push(`${method} ${path.replace('/api/v1/registry/signing-keys', '')}`);
    if (canRotate) return { body: key('s', 'active') };
    if (path.endsWith('/rotate')) {
      const code = 'standby_key_too_new';
      return { status: 409, body: { title: code, status: 409, code, detail: `from ${AT}`, requestId: 'r' } };
    }
    if (method === 'POST') isRevoked = true;
    const active = key('a', 'active', { activeFrom: AT, certificates, reissueSeconds: 13, ...leaked });
    if (!isRevoked) return { body: { keys: [active, key('s', 'standby')] } };
    const revoked = { ...active, state: 'revoked', revokedAt: AT };
    return { body: method === 'POST' ? revoked : { keys: [revoked, key('s', 'active')] } };
  });
  const ran = await runCli(['keys', 'signing', ...words, '--service', server.url], {
    env: { TOUCHSTONE_KEY: 'tsk_0' },
    stdin: answer,
    terminal: answer !== '',
  });
  return { ...ran, asked };
}

it('lists signing keys with the certificates that they signed', async () => {
  const { code, out } = await signing(['list']);
  expect(code).toBe(0);
  expect(out).toMatch(/a +proofs +active since 2026-03-01T12:00:00.000Z +2431 certificates/);
  expect(out).toMatch(/s +proofs +standby since/);
});

it('asks before it revokes a key, telling how many certificates are issued again, and how long that takes', async () => {
  const { code, err, out, asked } = await signing(['revoke', 'a'], { answer: 'y\n' });
  expect(err).toContain('Key a signs certificates now; the next key signs at once.');
  expect(err).toContain('2431 certificates signed with it become invalid at once');
  expect(err).toContain('takes about 13 seconds. This cannot be undone. Revoke it? [y/N]');
  expect([code, out, asked[1]]).toEqual([0, 'Key a is revoked. Key s signs now.\n', 'POST /a/revoke']);
});

it('revokes nothing without a yes, nor where nobody can be asked', async () => {
  const refused = await signing(['revoke', 'a'], { answer: 'n\n' });
  expect([refused.code, refused.out, refused.asked]).toEqual([2, 'Nothing was revoked.\n', ['GET ']]);
  const unattended = await signing(['revoke', 'a']);
  expect([unattended.code, unattended.asked]).toEqual([64, ['GET ']]);
  expect(unattended.err).toContain('--yes');
});

it.each(['--now', '--yes'])('revokes without asking with %s', async (flag) => {
  const { code, err, asked } = await signing(['revoke', 'a', flag]);
  expect([code, err, asked]).toEqual([0, '', ['GET ', 'POST /a/revoke', 'GET ']]);
});

it('revokes no key twice, and none that the service does not know', async () => {
  const again = await signing(['revoke', 'a'], { leaked: { state: 'revoked', revokedAt: AT } });
  expect([again.code, again.asked]).toEqual([0, ['GET ']]);
  const unknown = await signing(['revoke', 'tsk', '--now']);
  expect([unknown.code, unknown.asked]).toEqual([3, ['GET ']]);
  expect(unknown.err).toContain('API keys are revoked with touchstone keys revoke');
});

it('says what else follows: requests to shops, and certificates that nobody issued in advance', async () => {
  const requests = await signing(['revoke', 'a'], { answer: 'n\n', leaked: { purpose: 'requests' } });
  expect(requests.err).toContain('can no longer be verified; the next key signs at once');
  const none = await signing(['revoke', 'a'], { answer: 'n\n', certificates: 0 });
  expect(none.err).toContain('others are issued again when requested');
});

it('rotates the key, or says from when that is possible', async () => {
  const { code, out } = await signing(['rotate'], { canRotate: true });
  expect([code, out]).toEqual([0, 'Key s signs certificates now.\n']);
  const early = await signing(['rotate']);
  expect(early.code).toBe(3);
  expect(early.err).toContain(`from ${AT}`);
});
