import type { Store, StoreSetup } from '@touchstone/contract';

/** Properties of every step. */
export interface StepProps {
  readonly store: Store;
  readonly setup: StoreSetup;
  /** Called after a change: the state of the steps is loaded again. */
  readonly onChange: () => void;
  readonly onStore: (store: Store) => void;
}
