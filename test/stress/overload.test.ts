import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryOf } from '../kit/processes.ts';
import { createClient } from './support/client.ts';
import type { Answer } from './support/contract.ts';
import { openWorld, type World } from './support/world.ts';

/** Long form: 1,800 (CONTRIBUTING.md). */
const SECONDS = Number(process.env.TOUCHSTONE_OVERLOAD_SECONDS ?? 20);
/** Seconds for measuring the capacity. */
const TRIAL = 4;
/** Callers that each wait for a response measure the capacity; arrivals on as many connections overload it. */
const CALLERS = 64;
const CONNECTIONS = 2_000;
/** Milliseconds between two batches of arrivals. */
const TICK = 20;
const MB = 1_000_000;
/** Maximum growth of resident memory after the first third of the time. */
const FLAT = 150 * MB;
/** Maximum share of reset connections: most likely the operating system's queue is full, which no service notices. */
const RESET = 0.05;

interface Case {
  readonly body: string;
  readonly path: string;
  readonly verdict: string;
}

let world: World;
let cases: Case[];

beforeAll(async () => {
  world = await openWorld();
  const genuine = await Promise.all(world.mine.products.map(({ id, url }) => caseOf(id, url, 'verified')));
  // the same certificate on another page of the shop, and on another host
  const moved = await Promise.all(
    world.mine.products.flatMap(({ id, url }) => [
      caseOf(id, `${url}-other`, 'failed'),
      caseOf(id, url.replace('mine.example', 'thief.example'), 'failed'),
    ]),
  );
  cases = [...genuine, ...moved];
});
afterAll(() => world?.close());

async function caseOf(id: string, productUrl: string, verdict: string): Promise<Case> {
  const { body } = await world.client.ask({ method: 'GET', path: `/api/v1/mc4p/products/${id}/certificate` });
  const document: unknown = JSON.parse(body.toString());
  return {
    path: `/api/v1/mc4p/products/${id}/verify`,
    body: JSON.stringify({ productUrl, document }),
    verdict,
  };
}

/** Counts of responses by kind; a wrong one differs from the known correct response. */
class Outcomes {
  readonly counts = { right: 0, refused: 0, unanswered: 0 };
  /** Errors of connections without a response, by their code. */
  readonly causes: Record<string, number> = {};
  readonly wrong: string[] = [];
  note(answer: Answer | Error, { verdict, path }: Case): void {
    if (answer instanceof Error) {
      const cause = 'code' in answer ? String(answer.code) : answer.message;
      this.causes[cause] = (this.causes[cause] ?? 0) + 1;
      this.counts.unanswered += 1;
      return;
    }
    const text = answer.body.toString();
    if (answer.status === 503) {
      this.counts.refused += 1;
      const isHelpful = Number(answer.headers['retry-after']) >= 1 && 'code' in JSON.parse(text);
      if (!isHelpful) this.wrong.push(`a 503 without Retry-After or code: ${text}`);
    } else if (answer.status === 200 && JSON.parse(text).status === verdict) this.counts.right += 1;
    else if (this.wrong.length < 20) this.wrong.push(`${answer.status} for ${path}, not ${verdict}: ${text}`);
  }
}

/** Responses per second of the service's main thread, independent of other load. */
async function capacity(): Promise<number> {
  const client = createClient(world.service.port, CALLERS);
  const end = performance.now() + TRIAL * 1_000;
  const outcomes = new Outcomes();
  const before = await world.service.cpu();
  const caller = async (nth: number) => {
    for (let turn = nth; performance.now() < end; turn += 1) await ask(client, turn, outcomes);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, nth) => caller(nth)));
  client.close();
  expect(outcomes.wrong).toEqual([]);
  return (1_000 * outcomes.counts.right) / ((await world.service.cpu()) - before);
}

async function ask(client: ReturnType<typeof createClient>, turn: number, outcomes: Outcomes): Promise<void> {
  const chosen = cases[turn % cases.length] as Case;
  const headers = { 'content-type': 'application/json' };
  const asked = client.ask({ method: 'POST', path: chosen.path, headers, body: chosen.body });
  outcomes.note(await asked.catch((error: Error) => error), chosen);
}

it(
  `answers correctly or says when to retry, at twice its capacity for ${SECONDS} s`,
  async () => {
    const rate = 2 * (await capacity());
    const client = createClient(world.service.port, CONNECTIONS);
    const outcomes = new Outcomes();
    const waiting = new Set<Promise<void>>();
    const resident: number[] = [];
    const begun = performance.now();
    let sent = 0;
    for (let elapsed = 0; elapsed < SECONDS * 1_000; elapsed = performance.now() - begun) {
      // arrivals do not wait for responses; without a free connection, they are not sent
      for (; sent < (rate * elapsed) / 1_000; sent += 1) {
        if (waiting.size >= CONNECTIONS) continue;
        const answered = ask(client, sent, outcomes).finally(() => waiting.delete(answered));
        waiting.add(answered);
      }
      resident.push(memoryOf(world.service.pid, 'now'));
      await delay(TICK);
    }
    await Promise.all(waiting);
    const third = Math.ceil(resident.length / 3);
    const [early, late] = [Math.max(...resident.slice(0, third)), Math.max(...resident.slice(third))];
    console.info(
      `twice ${Math.round(rate / 2)} verifications a second: ${JSON.stringify({ ...outcomes.counts, ...outcomes.causes })}, ` +
        `${Math.round(early / MB)} MB, then ${Math.round(late / MB)} MB`,
    );
    expect(outcomes.wrong).toEqual([]);
    expect(Object.keys(outcomes.causes).filter((cause) => cause !== 'ECONNRESET')).toEqual([]);
    expect(outcomes.counts.unanswered).toBeLessThan(
      RESET * (outcomes.counts.right + outcomes.counts.refused),
    );
    expect(outcomes.counts.right).toBeGreaterThan(0);
    expect(late).toBeLessThan(early + FLAT);
    expect(world.service.crash()).toBeNull();
    // and it recovers at once
    const after = new Outcomes();
    for (let turn = 0; turn < cases.length; turn += 1) await ask(world.client, turn, after);
    expect(after).toMatchObject({ wrong: [], counts: { right: cases.length } });
    client.close();
  },
  120_000 + SECONDS * 4_000,
);
