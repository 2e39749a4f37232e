import { CORE_OPERATIONS, type Operation, PARTS } from '@touchstone/contract';

/** The parts that services of this run are without: none, except in the project `core` (vitest.config.ts). */
const WITHOUT = (process.env.TOUCHSTONE_TEST_WITHOUT ?? '').split(',');

export const hasPart = (name: string): boolean => !WITHOUT.includes(name);

/** The operations that services of this run answer. */
export const PRESENT_OPERATIONS: readonly Operation[] = [
  ...CORE_OPERATIONS,
  ...PARTS.filter(({ name }) => hasPart(name)).flatMap(({ operations }) => operations),
];
