export interface Random {
  /** From 0, below 1. */
  number(): number;
  integer(below: number): number;
  of<T>(items: readonly T[]): T;
}

/** Random numbers that follow from a seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(number() * below);
  return { number, integer, of: <T>(items: readonly T[]): T => items[integer(items.length)] as T };
}
