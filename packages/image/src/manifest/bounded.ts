import { withoutUnseen } from '@touchstone/certificate/text';

const MAX_TEXT = 500;
const MAX_MEMBERS = 50;
const MAX_DEPTH = 6;

/** Characters that one report may still contain. */
export interface Budget {
  left: number;
}

/** Untrusted text as one printable line of at most 500 characters. */
export function boundedText(text: string): string {
  const line = withoutUnseen(text.slice(0, 2 * MAX_TEXT)).trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…` : line;
}

/** A member that is present only if there is text for it. */
export function optionalText<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  const entry: { [P in K]?: string } = {};
  if (typeof value === 'string' && value !== '') entry[name] = boundedText(value);
  return entry;
}

/** Untrusted data as plain JSON of a limited size: `…` replaces what is left out. */
export function bounded(value: unknown, budget: Budget, depth: number = MAX_DEPTH): unknown {
  const within = (part: unknown) => bounded(part, budget, depth - 1);
  budget.left -= 1;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (budget.left < 0) return '…';
  if (typeof value === 'string') return charged(boundedText(value), budget);
  if (typeof value !== 'object' || depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map(within);
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [charged(boundedText(name), budget), within(member)]),
  );
}

function charged(text: string, budget: Budget): string {
  budget.left -= text.length;
  return text;
}
