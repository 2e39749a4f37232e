import type { ProductState } from '@touchstone/contract';
import { type Standing, State } from '../parts/display.tsx';
import { useWords } from '../tools.ts';

const STANDINGS: Readonly<Record<ProductState, Standing>> = {
  active: 'good',
  no_slot: 'open',
  hidden: 'off',
  host_lost: 'bad',
  paused: 'bad',
  disabled: 'bad',
  deleted: 'off',
};

export function ProductStateMark({ state }: { state: ProductState }) {
  const { products: words } = useWords();
  return <State standing={STANDINGS[state]} label={words.states[state]} />;
}
