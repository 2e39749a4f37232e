import type { FactCandidate } from './fact-candidates.ts';
import { CHOICE } from './weights.ts';

/** Removes whole numbers that are 100 times the price of another source: some themes state cents. */
export function withoutCents(candidates: readonly FactCandidate[]): readonly FactCandidate[] {
  const sure = candidates.filter(({ weight }) => weight >= CHOICE.againstCents);
  const inCents = new Set(sure.map(({ value }) => Number(value) * 100));
  return candidates.filter(({ value }) => !/^\d{3,}$/.test(value) || !inCents.has(Number(value)));
}

/**
 * Multiplies prices with three decimals by 1000 in currencies without a minor unit: `6,099.000` pesos are six million. Such
 * shop software mixes two thousands separators, in print and in its data.
 */
export function inWholeUnits(
  prices: readonly FactCandidate[],
  currencies: readonly FactCandidate[],
): readonly FactCandidate[] {
  const printed = new Set(
    prices.flatMap(({ field, value }) =>
      field.startsWith('text:') && THREE_DECIMALS.test(value) ? [Number(value)] : [],
    ),
  );
  if (printed.size === 0) return prices;
  const [currency] = currencies.toSorted((a, b) => b.weight - a.weight);
  if (currency === undefined || !WITHOUT_PARTS.has(currency.value)) return prices;
  return prices.map((candidate) =>
    printed.has(Number(candidate.value))
      ? { ...candidate, value: String(Math.round(Number(candidate.value) * 1000)), inferred: true }
      : candidate,
  );
}

const THREE_DECIMALS = /^\d{1,6}\.\d{3}$/;
/** Currencies without a minor unit (ISO 4217), or whose minor unit is no longer used. */
const WITHOUT_PARTS: ReadonlySet<string> = new Set(
  'BIF CLP COP GNF IDR IRR ISK JPY KHR KMF KRW LAK MMK PYG RWF TZS UGX UZS VND VUV XAF XOF XPF'.split(' '),
);
