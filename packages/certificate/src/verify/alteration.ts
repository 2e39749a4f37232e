import { describeValue } from './describe.ts';

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** A member of a document that differs from the one issued. */
export interface AlteredMember {
  /** Name of the member, and what was issued. */
  readonly expected: string;
  readonly actual: string;
}

/** Records a difference: what was issued, and what was found. */
export type Differs = (expected: string, actual: unknown) => void;

export function alteration(expected: string, actual: unknown): AlteredMember {
  return { expected, actual: describeValue(actual) };
}

/** Sanitises a name for output: it may come from an untrusted document. */
export function shown(name: string): string {
  return name.slice(0, 60).replace(/[^\w:.@-]/g, '?');
}

export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
