import { isRecord } from '../problem.ts';

/** Facts as `name: value`, images counted. */
export function factsOf(facts: unknown): (readonly [string, string])[] {
  if (!isRecord(facts)) return [];
  const stated: (readonly [string, string])[] = [];
  for (const [name, fact] of Object.entries(facts)) {
    if (Array.isArray(fact) && fact.length > 0) stated.push([name, String(fact.length)]);
    else if (isRecord(fact) && typeof fact.value === 'string') stated.push([name, shorten(fact.value)]);
  }
  return stated;
}

function shorten(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100).toWellFormed()}…`;
}
