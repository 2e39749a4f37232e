import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadManifestEngine, type ManifestEngine, type TrustList } from '@touchstone/image';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import { openTimeStamps } from '../../packages/server/src/core/images/time-stamps.ts';
import { httpServer } from '../kit/servers.ts';
import { openTimeStampAuthority, type TimeStampAuthority } from '../kit/time-stamp-authority.ts';
import { pictures } from './pictures.ts';

const MANIFEST = {
  title: 'A cup',
  claimGenerator: { name: 'Touchstone', version: '1.2.3' },
  actions: [{ action: 'c2pa.published' }],
  assertions: [],
};
/** Minimum seconds for which the signer's certificate is valid; tests of its expiry wait for that. */
const LIFETIME = 12;
/** Validity in multiples of a signature's duration on a busy machine: enough for two signatures, and checks before it expires. */
const SIGNATURES = 20;

let authority: TimeStampAuthority;
let stamped: Uint8Array;
let plain: Uint8Array;
let signerRoot: string;
let ended: Promise<void>;
let engine: ManifestEngine;
let workers: ImageWorkers;

const list = (name: string, anchorsPem: string) => ({ name, date: '2026-11-01', anchorsPem });
/** The engine in this process, since these images are small and trusted. */
const judge = (bytes: Uint8Array, trust: TrustList) => engine.read(bytes, 'image/jpeg', trust);

beforeAll(async () => {
  authority = await openTimeStampAuthority();
  const picture = (await pictures())['image/jpeg'];
  engine = await loadManifestEngine(
    readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))),
  );
  workers = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust: list('nobody', '') });
  await workers.inspect(picture);
  const begun = performance.now();
  await workers.sign(picture, MANIFEST, await developmentChain(new Date()));
  const lifetime = Math.max(LIFETIME, Math.ceil((SIGNATURES * (performance.now() - begun)) / 1_000));
  const chain = await developmentChain(new Date(), lifetime);
  ended = delay(lifetime * 1000 + 1_000);
  [, signerRoot = ''] = chain.certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
  const timeStamp = openTimeStamps({
    url: authority.url,
    clock: () => new Date(),
    onFault: (error) => expect.unreachable(error.message),
  });
  stamped = await workers.sign(picture, MANIFEST, { ...chain, timeStamp });
  plain = await workers.sign(picture, MANIFEST, chain);
});
afterAll(async () => {
  await workers?.close();
  await authority?.close();
});

describe('a signature with a time stamp', () => {
  const stamps = () => ({ purpose: 'time_stamps', ...list('stamps', authority.rootPem) }) as const;

  it('states when it was made, trusting only authorities of the list for time stamps', async () => {
    const apart = await judge(stamped, { ...list('signers', signerRoot), further: [stamps()] });
    expect(apart).toMatchObject({ valid: true, trust: { status: 'trusted', list: 'signers' } });
    expect(apart.signer).toMatchObject({ time: expect.stringMatching(/^\d{4}-/), timeTrusted: true });
    const unlisted = await judge(stamped, list('signers', signerRoot));
    expect(unlisted).toMatchObject({ valid: true, trust: { status: 'trusted' } });
    expect(unlisted.signer?.timeTrusted).toBe(false);
    const one = await judge(stamped, list('both', signerRoot + authority.rootPem));
    expect(one.signer?.timeTrusted).toBe(true);
  });

  it('is trusted by no list for another purpose', async () => {
    const swapped = await judge(stamped, {
      ...list('signers', authority.rootPem),
      further: [{ purpose: 'time_stamps', ...list('stamps', signerRoot) }],
    });
    expect(swapped).toMatchObject({ valid: true, trust: { status: 'untrusted', list: 'signers' } });
    expect(swapped.signer?.timeTrusted).toBe(false);
    const named = await judge(stamped, {
      ...list('signers', ''),
      further: [stamps(), { purpose: 'identities', ...list('people', signerRoot) }],
    });
    expect(named.trust.status).toBe('untrusted');
    const both = await judge(stamped, {
      ...list('signers', signerRoot),
      further: [{ purpose: 'time_stamps', ...list('stamps', signerRoot + authority.rootPem) }],
    });
    expect(both).toMatchObject({ trust: { status: 'trusted' }, signer: { timeTrusted: true } });
  });

  it('of a signer that only the legacy list contains is trusted by that list, with its name and date', async () => {
    const legacy = { purpose: 'legacy', name: 'legacy', date: '2025-02-03', anchorsPem: signerRoot } as const;
    const { trust } = await judge(stamped, { ...list('signers', ''), further: [legacy] });
    expect(trust).toEqual({ status: 'trusted', list: 'legacy', listDate: '2025-02-03' });
    const stranger = { ...legacy, anchorsPem: authority.rootPem };
    const nobody = await judge(stamped, { ...list('signers', authority.rootPem), further: [stranger] });
    expect(nobody.trust).toEqual({ status: 'untrusted', list: 'signers and legacy', listDate: '2025-02-03' });
    const alone = await judge(stamped, { ...list('none', ''), further: [stranger] });
    expect(alone.trust).toEqual({ status: 'untrusted', list: 'legacy', listDate: '2025-02-03' });
  });

  it('remains valid after its certificate has expired, if the list contains its authority; one without does not', async () => {
    const trust = { ...list('signers', signerRoot), further: [stamps()] };
    await ended;
    expect(await judge(stamped, trust)).toMatchObject({ valid: true, trust: { status: 'trusted' } });
    expect(await judge(plain, trust)).toMatchObject({ valid: false });
    const elsewhere = { ...stamps(), anchorsPem: signerRoot };
    // the authority's root among signers does not make its time stamps trusted
    const misused = { ...list('signers', signerRoot + authority.rootPem), further: [elsewhere] };
    expect(await judge(stamped, misused)).toMatchObject({ valid: false, trust: { status: 'untrusted' } });
  });
});

describe('an authority that issues no time stamp', () => {
  const ask = async (limit = 5_000) => {
    const faults: string[] = [];
    let now = Date.now();
    const stamp = openTimeStamps({
      url: authority.url,
      clock: () => new Date(now),
      onFault: ({ message }) => faults.push(message),
      limit,
    });
    const pass = (ms: number) => {
      now += ms;
    };
    return { faults, pass, stamp: () => stamp(Buffer.alloc(32, 7)) };
  };

  it.each([
    ['hangs', /did not answer within 3000 ms/],
    ['fails', /answered 503/],
    ['refuses', /refused, with status 2/],
    ['stamps another', /for something other/],
  ] as const)(
    'because it %s leaves the signature without one, says why once, and is asked again a minute later',
    async (how, why) => {
      authority.answer(how);
      const { stamp, faults, pass } = await ask(how === 'hangs' ? 3_000 : 10_000);
      const before = authority.requests();
      expect(await stamp()).toBeNull();
      expect(await stamp()).toBeNull();
      expect([authority.requests() - before, faults]).toEqual([1, [expect.stringMatching(why)]]);
      expect(faults.join()).not.toContain(authority.url);
      pass(60_001);
      authority.answer('stamps');
      expect(await stamp()).not.toBeNull();
    },
  );

  it('because it redirects is not followed: its address may contain a token', async () => {
    const seen: string[] = [];
    const hostile = await httpServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    const redirecting = await httpServer((_, response) =>
      response.writeHead(307, { location: hostile.url }).end(),
    );
    const faults: string[] = [];
    const stamp = openTimeStamps({
      url: `${redirecting.url}/?token=secret`,
      clock: () => new Date(),
      onFault: ({ message }) => faults.push(message),
    });
    expect(await stamp(Buffer.alloc(32, 7))).toBeNull();
    expect([faults, seen]).toEqual([
      [expect.stringContaining(`it answered 307, a redirect to ${hostile.url}`)],
      [],
    ]);
    for (const server of [hostile, redirecting]) await server.close();
  });
});
