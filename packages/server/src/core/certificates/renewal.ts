const DAY = 86_400_000;

/** Milliseconds from one renewal of a product's certificate to the next. */
const CYCLE = 4.5 * DAY;
/** Milliseconds: a younger proof is left until the product's next renewal. */
const LEAST_AGE = DAY / 4;

/**
 * When a product's certificate is renewed in advance. Each product has a fixed moment in a cycle of four and a half days, derived
 * from its id, so that 22 % of any catalogue are renewed each day, however many certificates were issued at once. A proof then
 * has at least 2.25 of its 7 days left; it is served until 2 are left.
 */
export function renewAt(productId: string, issuedAt: Date): Date {
  const offset = (Number.parseInt(productId.slice(0, 8), 16) / 2 ** 32) * CYCLE;
  const issued = issuedAt.getTime();
  const renewal = offset + Math.floor((issued + CYCLE - offset) / CYCLE) * CYCLE;
  return new Date(renewal - issued < LEAST_AGE ? renewal + CYCLE : renewal);
}
