/** Seats of the largest plan. */
const MOST = 10_000_000;

/** Seats of a plan as somebody types them; `undefined` where it is no whole number that a plan can have. */
export function capacityOf(typed: string): number | undefined {
  const digits = typed.trim().replace(/[\s.,'’]/g, '');
  if (!/^\d{1,9}$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= MOST ? value : undefined;
}
