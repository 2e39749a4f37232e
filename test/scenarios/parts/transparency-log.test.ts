import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { logProofOf, parsePolicy, verifyLogProof } from '@touchstone/certificate/log';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../../kit/scenario.ts';
import { jwtOf, useScene } from '../../kit/service.ts';

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const certificate = await scene.certificate(kettle.id);

async function read(path: string): Promise<Response> {
  return fetch(`${scene.service.url}/api/v1/mc4p/log/${path}`);
}

describe('the transparency log', () => {
  scenario('has every proof, with no name, address or id in its leaf', covers('LOG-FIRST'), async () => {
    const hash = createHash('sha256').update(jwtOf(certificate)).digest('base64url');
    let response = await read(`proofs/${hash}`);
    // on a busy machine it may come after the certificate
    for (; response.status === 404; response = await read(`proofs/${hash}`)) await delay(100);
    const policy = await parsePolicy(await (await read('policy')).text());
    if ('fault' in policy) throw new Error(policy.fault);
    const text = await response.text();
    expect(await verifyLogProof(certificate, text, { policy })).toMatchObject({
      reason: 'logged_not_witnessed',
    });
    const [, extra = ''] = /^extra (.*)$/m.exec(text) ?? [];
    const leaf = JSON.parse(Buffer.from(extra, 'base64').toString('utf8')) as object;
    expect(Object.keys(leaf)).toEqual(['domain', 'exp', 'iat', 'kid', 'kind', 'proof', 'subject', 'v']);
    expect(JSON.stringify(leaf)).not.toContain(kettle.id);
  });

  scenario('never changes what a document carries of it', covers('LOG-STAPLED'), async () => {
    const before = logProofOf(certificate);
    await scene.certificate((await store.product('teapot')).id);
    expect(logProofOf(await scene.certificate(kettle.id))).toEqual(before);
  });
});
