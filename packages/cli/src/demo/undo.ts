/** Cleanup steps, run in reverse order. */
export interface Undo {
  add(step: () => Promise<void>): void;
  /** Runs every step once, however often it is called; a failing step does not prevent the others. */
  all(): Promise<void>;
}

export function createUndo(): Undo {
  const steps: (() => Promise<void>)[] = [];
  let undone: Promise<void> | undefined;
  return {
    add: (step) => void steps.push(step),
    all() {
      undone ??= undoAll(steps);
      return undone;
    },
  };
}

async function undoAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps.toReversed()) await step().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
