import type { Store, StoreSetup } from '@touchstone/contract';

/** What every step is given. */
export interface StepProps {
  readonly store: Store;
  readonly setup: StoreSetup;
  /** Something changed: the state of the steps is asked for again. */
  readonly onChange: () => void;
  readonly onStore: (store: Store) => void;
}
