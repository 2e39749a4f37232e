import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestRegistry, testRegistry } from '../../core/registry/testing.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { createIdempotencyStore } from './idempotency-store.ts';

const claim = (key: string, request = 'r', caller = 'c'): IdempotencyClaim => ({
  caller,
  key,
  requestHash: Buffer.from(request),
});

describe('responses stored under an Idempotency-Key', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
  });
  afterAll(() => registry.close());
  const store = () => createIdempotencyStore(registry.db, registry.secrets);
  /** Simulates that time passes in the database. */
  const later = (seconds: number) =>
    registry.database.query(
      'update idempotency_keys set created_at = created_at - make_interval(secs => $1)',
      [seconds],
    );

  it('admit one of many equal requests, and replay its response to the others', async () => {
    const states = await Promise.all(Array.from({ length: 8 }, () => store().begin(claim('once'))));
    expect(states.map((state) => state.kind).toSorted()).toEqual([...Array(7).fill('in_progress'), 'new']);
    await store().finish(claim('once'), { status: 201, body: { id: 'x' } });
    expect(await store().begin(claim('once'))).toEqual({
      kind: 'replay',
      answer: { status: 201, body: { id: 'x' } },
    });
    await store().abandon(claim('once'));
    expect((await store().begin(claim('once'))).kind).toBe('replay');
  });

  it('detect another request with the same key, and are separate for each caller', async () => {
    await store().begin(claim('k'));
    expect(await store().begin(claim('k', 'other'))).toEqual({ kind: 'mismatch' });
    expect(await store().begin(claim('k', 'other', 'd'))).toEqual({ kind: 'new' });
  });

  it('allow a request that failed, or whose node died, to be repeated', async () => {
    await store().begin(claim('failed'));
    await store().abandon(claim('failed'));
    expect(await store().begin(claim('failed', 'changed'))).toEqual({ kind: 'new' });
    await store().begin(claim('died'));
    await later(119);
    expect(await store().begin(claim('died'))).toEqual({ kind: 'in_progress' });
    await later(2);
    expect(await store().begin(claim('died', 'another'))).toEqual({ kind: 'mismatch' });
    expect(await store().begin(claim('died'))).toEqual({ kind: 'new' });
    expect(await store().begin(claim('died'))).toEqual({ kind: 'in_progress' });
  });

  it('of a request that died before the clock was set back do not block until it has caught up', async () => {
    await store().begin(claim('ahead'));
    await later(-3_600);
    expect(await store().begin(claim('ahead', 'another'))).toEqual({ kind: 'mismatch' });
    expect(await store().begin(claim('ahead'))).toEqual({ kind: 'new' });
    expect(await store().begin(claim('ahead'))).toEqual({ kind: 'in_progress' });
  });

  it('are deleted after a day', async () => {
    await store().begin(claim('old'));
    await store().finish(claim('old'), { status: 204, body: undefined });
    expect(await store().begin(claim('old'))).toEqual({
      kind: 'replay',
      answer: { status: 204, body: undefined },
    });
    await later(25 * 3_600);
    expect(await store().begin(claim('old', 'new request'))).toEqual({ kind: 'new' });
    await later(25 * 3_600);
    expect(await store().purge()).toBeGreaterThan(0);
    expect(await registry.database.query('select * from idempotency_keys')).toEqual([]);
  });
});
