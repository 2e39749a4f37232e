/** Maximum seats of a plan. */
const MOST = 10_000_000;

/** The entered number of seats of a plan; `undefined` if it is not a whole number that a plan can have. */
export function capacityOf(typed: string): number | undefined {
  const digits = typed.trim().replace(/[\s.,'’]/g, '');
  if (!/^\d{1,9}$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= MOST ? value : undefined;
}
