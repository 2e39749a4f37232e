const DAY = 86_400_000;

/** Milliseconds from one renewal of a product's certificate to the next. */
const CYCLE = 4.5 * DAY;
/** A proof younger than this is left for the next turn of its product, in milliseconds. */
const LEAST_AGE = DAY / 4;

/**
 * When a product's certificate is renewed before anyone asks: each product has its moment in a cycle of four and a half days,
 * by its id, so that of any catalogue 22 % are renewed each day, however many certificates were made at once. A proof has
 * at least 2.25 of its 7 days left then; one is served until 2 are left.
 */
export function renewAt(productId: string, issuedAt: Date): Date {
  const place = (Number.parseInt(productId.slice(0, 8), 16) / 2 ** 32) * CYCLE;
  const issued = issuedAt.getTime();
  const turn = place + Math.floor((issued + CYCLE - place) / CYCLE) * CYCLE;
  return new Date(turn - issued < LEAST_AGE ? turn + CYCLE : turn);
}
