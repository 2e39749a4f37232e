import { afterAll, beforeAll, expect } from 'vitest';
import type { Asked } from './client.ts';
import { type Answer, Tally } from './contract.ts';
import { type Conversation, converse, type RawOptions, type Step } from './raw.ts';
import type { ChildStart, Memory } from './service-process.ts';
import { openWorld, strayDials, type World } from './world.ts';

/** A service for the tests of one file, with checks of every response. */
export interface Session {
  readonly world: World;
  readonly tally: Tally;
  /** The path that verifies the merchant's first product. */
  verifyPath(): string;
  /** Headers of a JSON request by the operator. */
  asOperator(): Readonly<Record<string, string>>;
  /** Sends a request, and records violations in the response. */
  ask(asked: Asked): Promise<Answer>;
  /** The same with raw bytes, on a separate connection. */
  say(steps: readonly Step[], options?: RawOptions): Promise<Conversation>;
}

/** Maximum bytes of live objects that the requests of a file may leave behind. */
const MAX_GROWTH = 40_000_000;

/**
 * Starts a service before the tests of this file. Afterwards it prints in one line the number and durations of responses by class, and the
 * change of the service's memory; and it fails the file if a response violated a rule, the service logged a bug, or a page fetch attempted
 * an internal connection.
 */
export function session(name: string, start: Partial<ChildStart> = {}): Session {
  const tally = new Tally();
  let opened: { world: World; before: Memory } | undefined;
  const world = () => {
    if (opened === undefined) throw new Error('the session opens before the first test');
    return opened.world;
  };

  beforeAll(async () => {
    const fresh = await openWorld(start);
    opened = { world: fresh, before: await fresh.service.memory() };
  });

  afterAll(async () => {
    if (opened === undefined) return;
    const { service } = opened.world;
    const { before } = opened;
    const { faults, dials } = await service.told();
    const after = await service.memory();
    console.info(
      `${name}: ${tally.summary()}; heap ${change(before.heapUsed, after.heapUsed)}, RSS ${change(before.rss, after.rss)}`,
    );
    await opened.world.close();
    expect(tally.broken).toEqual([]);
    expect(faults).toEqual([]);
    expect(strayDials(dials)).toEqual([]);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(MAX_GROWTH);
  });

  return {
    get world() {
      return world();
    },
    tally,
    verifyPath: () => `/api/v1/mc4p/products/${world().mine.products[0]?.id}/verify`,
    asOperator: () => ({
      'content-type': 'application/json',
      authorization: `Bearer ${world().service.operatorKey}`,
    }),
    async ask(asked) {
      const answer = await world().client.ask(asked);
      const at = `${asked.method} ${asked.path} ${String(asked.body ?? '').slice(0, 200)}`;
      tally.note(answer, { ...world().promised, method: asked.method }, at);
      expect(world().service.crash()).toBeNull();
      return answer;
    },
    async say(steps, options = {}) {
      const talk = await converse(world().service.port, steps, options);
      for (const [index, answer] of talk.answers.entries()) {
        const method = options.methods?.[index];
        const promised = method === undefined ? world().promised : { ...world().promised, method };
        tally.note(answer, promised, String(steps[0]).slice(0, 80));
      }
      expect(world().service.crash()).toBeNull();
      return talk;
    },
  };
}

function change(before: number, after: number): string {
  return `${Math.round(before / 1e6)} -> ${Math.round(after / 1e6)} MB`;
}
