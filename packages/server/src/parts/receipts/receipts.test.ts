import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFolderBlobs } from '../../core/images/blobs/folder-blobs.ts';
import { ed25519Signer, newEd25519Key } from '../../core/keys/ed25519-keys.ts';
import { isTrusted } from '../../core/keys/key-schedule.ts';
import { openCurveKeys } from '../../core/keys/open-curve-keys.ts';
import { type TestRegistry, testRegistry, testShop } from '../../core/registry/testing.ts';
import { createChangeHub } from '../../platform/cache/changes.ts';
import { testService } from '../../testing.ts';
import {
  deleteExpiredEvidence,
  type EvidenceContext,
  keepEvidence,
  listEvidence,
  readEvidence,
} from './evidence-table.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20);

let registry: TestRegistry;
let folder: string;
let now: Date;
let context: EvidenceContext;
beforeEach(async () => {
  registry = await testRegistry();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-evidence-'));
  now = new Date(START);
  const { db, secrets } = registry;
  context = { db, secrets, clock: () => now, blobs: openFolderBlobs(folder), quota: 1_000 };
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

/** The names of all blobs. */
const blobs = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.evidence'));

describe('evidence', () => {
  const keep = (merchantId: string, text: string) =>
    keepEvidence(context, {
      merchantId,
      id: crypto.randomUUID(),
      about: { url: 'https://copy.example/', verdict: 'no_certificate' },
      file: Buffer.from(text),
    });

  it('is deleted after 90 days, with its bytes, and is unknown from that moment on', async () => {
    const { merchantId } = await testShop(registry, 'shop.example');
    const early = await keep(merchantId, 'early');
    now = new Date(START + 30 * DAY);
    const late = await keep(merchantId, 'late');
    now = new Date(Date.parse(early.expiresAt) - 1);
    expect(Buffer.from(await readEvidence(context, merchantId, early.id)).toString()).toBe('early');
    expect(await deleteExpiredEvidence(context)).toBe(0);
    now = new Date(early.expiresAt);
    await expect(readEvidence(context, merchantId, early.id)).rejects.toMatchObject({
      code: 'evidence_unknown',
    });
    expect(await deleteExpiredEvidence(context)).toBe(1);
    expect(await blobs()).toEqual([join(late.id.slice(0, 2), `${late.id}.evidence`)]);
    const { evidence, bytes } = await listEvidence(context, merchantId);
    expect([evidence, bytes]).toEqual([[late], 4]);
  });

  it('of a merchant never exceeds its quota, however many are kept at once; that of another does not count', async () => {
    const [mine, other] = [await testShop(registry, 'a.example'), await testShop(registry, 'b.example')];
    await keep(other.merchantId, 'x'.repeat(900));
    const kept = await Promise.allSettled(
      Array.from({ length: 9 }, () => keep(mine.merchantId, 'x'.repeat(300))),
    );
    const refused = kept.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 6 }, () => 'evidence_quota_reached'));
    expect((await listEvidence(context, mine.merchantId)).bytes).toBe(900);
    expect(await blobs()).toHaveLength(4);
  });

  it('that the blob store does not take is not listed, and costs no quota', async () => {
    const { merchantId } = await testShop(registry, 'shop.example');
    const put = async () => {
      throw new Error('the disk is full');
    };
    context = { ...context, blobs: { ...context.blobs, put } };
    await expect(keep(merchantId, 'x')).rejects.toThrow('the disk is full');
    expect(await listEvidence(context, merchantId)).toMatchObject({ evidence: [], bytes: 0 });
  });

  it('in the blob store is sealed: moved to another id or merchant, it does not open', async () => {
    const { merchantId } = await testShop(registry, 'shop.example');
    const [one, another] = [await keep(merchantId, 'page of a copy'), await keep(merchantId, 'else')];
    const key = (id: string) => `${id}.evidence`;
    const pieces: Uint8Array[] = [];
    for await (const piece of context.blobs.read(key(one.id))) pieces.push(piece);
    expect(Buffer.concat(pieces).toString('latin1')).not.toContain('page');
    await context.blobs.remove(key(another.id));
    await context.blobs.put(key(another.id), Buffer.concat(pieces));
    await expect(readEvidence(context, merchantId, another.id)).rejects.toThrow();
  });
});

it('keys of receipts sign in turn, and stay published for years after they signed, until revoked', async () => {
  const { db, secrets } = registry;
  const caching = { hub: createChangeHub(), freshness: { isProven: () => false, wasProven: () => false } };
  const policy = { rotateEvery: 90 * DAY };
  const keys = await openCurveKeys({
    db,
    secrets,
    clock: () => now,
    policy,
    caching,
    purpose: 'receipts',
    newKey: () => newEd25519Key('Ed25519'),
    signerOf: ed25519Signer,
    isPublished: isTrusted,
  });
  const { keyid: first } = await keys.signer();
  now = new Date(START + 91 * DAY);
  await keys.rotate();
  expect((await keys.signer()).keyid).not.toBe(first);
  now = new Date(START + 4_000 * DAY);
  await keys.rotate();
  const published = async () => (await keys.published()).map(({ jwk }) => jwk.kid);
  expect(await published()).toContain(first);
  const kept = (await keys.list()).find(({ kid }) => kid === first);
  expect(kept?.sealedPrivateKey).toBeUndefined();
  await keys.revoke(first);
  expect(await published()).not.toContain(first);
});

describe('a service', () => {
  const services: Awaited<ReturnType<typeof testService>>[] = [];
  afterAll(() => Promise.all(services.map((service) => service.dispose())));
  const ask = async (settings: Record<string, string>, body: object, headers: object = {}) => {
    const service = await testService({ settings });
    services.push(service);
    const response = await fetch(`${service.url}/api/v1/mc4p/page-checks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ url: 'http://shop.example:22/', ...body }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };

  it('without this part refuses whoever asks for a receipt, instead of answering without one', async () => {
    const { status, json } = await ask({ TOUCHSTONE_WITHOUT: 'receipts' }, { receipt: true });
    expect([status, json.code]).toEqual([404, 'receipts_absent']);
  });
});
