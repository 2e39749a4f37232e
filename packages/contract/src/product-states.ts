/** Every product has exactly one of these states. */
export const PRODUCT_STATES = [
  'active',
  'hidden',
  'host_lost',
  'paused',
  'no_slot',
  'disabled',
  'deleted',
] as const;

export type ProductState = (typeof PRODUCT_STATES)[number];

/** Why a product that is not active publishes no certificate, and what its merchant can do: a clause. For its merchant only. */
export const NOT_PUBLISHING: Readonly<Record<Exclude<ProductState, 'active'>, string>> = {
  hidden: 'it is hidden. Show it again (touchstone products unhide).',
  no_slot:
    'all seats of the plan are taken, and it waits for one. Hide or delete other products, or ask the operator for more.',
  host_lost: 'its host is not, or no longer, a domain of its store. See touchstone domains list.',
  paused: 'the operator has paused the merchant. Ask the operator.',
  disabled: 'the operator has disabled it. Ask the operator.',
  deleted: 'it was deleted. Importing it again restores it.',
};
