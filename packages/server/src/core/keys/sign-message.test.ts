import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import { ed25519Signer } from './ed25519-keys.ts';
import { signMessage } from './sign-message.ts';
import { agentOf } from './sign-request.ts';
// values of the appendices of the drafts (the individual ones and the working group's), made with the test keys of RFC 9421 appendix B.1
import vectors from './testing/web-bot-auth-vectors.json' with { type: 'json' };

interface Vector {
  readonly key: JsonWebKey;
  readonly url: string;
  readonly headers: Record<string, string>;
}

const parameterOf = (input: string, name: string) =>
  new RegExp(`;${name}="?([^";]*)"?`).exec(input)?.[1] ?? '';
const momentOf = (input: string, name: string) => new Date(Number(parameterOf(input, name)) * 1000);

describe('the published vectors of Web Bot Auth', () => {
  const named = (vectors as Vector[]).map(
    (vector) => [`${vector.key.kty} ${vector.headers['Signature-Input']?.slice(0, 70)}`, vector] as const,
  );

  it.each(named.filter(([, { key }]) => key.kty === 'OKP'))('equal our signatures: %s', (_, vector) => {
    const { 'Signature-Input': input = '', 'Signature-Agent': agent, Signature } = vector.headers;
    const [label = ''] = input.split('=', 1);
    const key = /"signature-agent";key="([^"]+)"/.exec(input)?.[1];
    const agentComponents: [string, string][] =
      agent === undefined
        ? []
        : key === undefined
          ? [['"signature-agent"', agent]]
          : [[`"signature-agent";key="${key}"`, agent.slice(key.length + 1)]];
    const pkcs8 = createPrivateKey({ key: vector.key, format: 'jwk' }).export({
      format: 'der',
      type: 'pkcs8',
    });
    const signed = signMessage(
      {
        label,
        components: [['"@authority"', new URL(vector.url).host], ...agentComponents],
        created: momentOf(input, 'created'),
        expires: momentOf(input, 'expires'),
        nonce: parameterOf(input, 'nonce'),
        tag: parameterOf(input, 'tag'),
      },
      ed25519Signer(parameterOf(input, 'keyid'), pkcs8),
    );
    expect(signed).toEqual({ input, signature: Signature });
  });

  it.each(named)('are verified by the library that also verifies our requests: %s', async (_, vector) => {
    const publicKey = createPublicKey({ key: vector.key, format: 'jwk' });
    const options = vector.key.kty === 'RSA' ? { padding: 6, saltLength: 64 } : {};
    const digest = vector.key.kty === 'RSA' ? 'sha512' : null;
    const config = {
      notAfter: Number.MAX_SAFE_INTEGER,
      tolerance: 1e12,
      keyLookup: async () => ({
        verify: async (data: Buffer, signature: Buffer) =>
          verify(digest, data, { key: publicKey, ...options }, signature),
      }),
    };
    const request = { method: 'GET', url: vector.url, headers: vector.headers };
    expect(await httpbis.verifyMessage(config, request)).toBe(true);
    await expect(
      httpbis.verifyMessage(config, { ...request, url: 'https://another.example/' }),
    ).resolves.toBe(false);
  });
});

it('the published directory, with a digest, is verified as ours is', async () => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
  const kid = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
  const body = JSON.stringify({ keys: [{ kty: key.kty, crv: key.crv, kid, x: key.x, use: 'sig' }] });
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const answer = {
    status: 200,
    headers: {
      'content-digest': digest,
      'signature-input': `binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="${kid}";tag="http-message-signatures-directory"`,
      signature:
        'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
    },
  };
  const config = {
    keyLookup: async () => ({
      verify: async (data: Buffer, signature: Buffer) =>
        verify(null, data, createPublicKey({ key, format: 'jwk' }), signature),
    }),
  };
  const url = 'https://signature-agent.test/.well-known/http-message-signatures-directory';
  expect(await httpbis.verifyMessage(config, answer, { method: 'GET', url, headers: {} })).toBe(true);
});

describe('requests are signed', () => {
  it.each([
    ['https://certificates.example', 'https://certificates.example'],
    ['https://certificates.example:8443', 'https://certificates.example:8443'],
    ['http://certificates.example', undefined],
    ['https://localhost', undefined],
    ['https://127.0.0.1:8787', undefined],
    ['https://shop.example/certificates', undefined],
  ])('as %s: %s', (baseUrl, agent) => {
    expect(agentOf(baseUrl)).toBe(agent);
  });
});
