import { expect } from 'vitest';
import { outcomeOf, type Program } from '../scenarios/transports/program.ts';
import type { Outcome } from '../scenarios/transports/transport.ts';
import { type GeneratedDocument, generatedDocuments } from './generated-documents.ts';

/** How many documents a test compares. */
export const DOCUMENTS = Number(process.env.TOUCHSTONE_SDK_DOCUMENTS ?? 500);
/** Which ones. */
export const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? 32);

/** Milliseconds: a million documents. */
export const DOCUMENTS_TIMEOUT = 3_600_000;

/**
 * Compares the answers of a program in another language with those of the TypeScript SDK.
 *
 * @returns how often each status was expected, and the first differences, with all that is needed to repeat them
 */
export async function differences(program: Program, count = DOCUMENTS, seed = SEED) {
  const generator = await generatedDocuments(seed);
  const statuses: Record<string, number> = {};
  const found: object[] = [];
  let compared = 0;
  while (compared < count && found.length < 3) {
    const batch: GeneratedDocument[] = [];
    for (let i = Math.min(250, count - compared); i > 0; i--) batch.push(await generator.next());
    const asked = Promise.all(batch.map((request) => program.ask(request)));
    // as the program reads it: `undefined` is not sent
    const sent = JSON.parse(JSON.stringify(batch)) as GeneratedDocument[];
    const expected = await Promise.all(sent.map((one) => generator.expected(one)));
    const answers = (await asked).map((answer) => documentOutcome(outcomeOf(answer)));
    compared += batch.length;
    for (const [at, wanted] of expected.entries()) {
      const status = String(wanted.status);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (JSON.stringify(sorted(wanted)) !== JSON.stringify(sorted(answers[at]))) {
        found.push({ request: batch[at], typescript: wanted, other: answers[at] });
      }
    }
  }
  console.info(`generated documents, seed ${seed}:`, compared, JSON.stringify(statuses));
  return { compared, statuses: Object.keys(statuses), found };
}

/** What is expected of it. */
export const SAME = {
  compared: DOCUMENTS,
  // each verdict was among them
  statuses: expect.arrayContaining(['verified', 'failed', 'unverified']),
  found: [],
};

function documentOutcome({ status, checks, warnings, errors, conclusion }: Outcome): Outcome {
  const { length } = Object.keys(checks ?? {});
  return length === 0
    ? { status: String(status) }
    : ({ status, checks, warnings, errors, conclusion } as Outcome);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
