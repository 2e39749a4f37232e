import { it } from 'vitest';
import { REQUIREMENTS } from '../requirements.ts';

export { covers } from './citations.ts';

/**
 * A test that demonstrates rules of the contract. `ids` come from `covers(…)`.
 *
 * A scenario cannot be skipped: otherwise a rule could be left without a test.
 */
export function scenario(name: string, ids: readonly string[], run: () => Promise<void> | void): void {
  const unknown = ids.filter((id) => !REQUIREMENTS.some((rule) => rule.id === id));
  if (unknown.length > 0) throw new Error(`no such requirement: ${unknown.join(', ')}`);
  it(`${name} [${ids.join(' ')}]`, run);
}
