import { afterAll, beforeAll, expect } from 'vitest';
import type { Asked } from './client.ts';
import { type Answer, Tally } from './contract.ts';
import { type Conversation, converse, type RawOptions, type Step } from './raw.ts';
import type { ChildStart, Memory } from './service-process.ts';
import { openWorld, strayDials, type World } from './world.ts';

/** A service for the tests of one file, and the promises that every answer is held to. */
export interface Session {
  readonly world: World;
  readonly tally: Tally;
  /** Asks, and notes whatever is wrong with the answer. */
  ask(asked: Asked): Promise<Answer>;
  /** The same by raw bytes, on a connection of its own. */
  say(steps: readonly Step[], options?: RawOptions): Promise<Conversation>;
}

/** Bytes of live objects that a file full of requests may leave behind. */
const MAX_GROWTH = 40_000_000;

/**
 * Opens a session before the tests of this file. After them one line tells how many requests of which class
 * were answered and how slowly, and how the service's memory stands against where it was; and the file fails
 * where any answer broke a promise, the service wrote down a bug, or a page fetch tried to get inside.
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
