import type { CodeTable } from './code-table.ts';
import type { Operation } from './operation.ts';

/** What a part of the service adds to the contract. */
export interface ContractPart {
  readonly name: string;
  /** In the order of the API reference. */
  readonly operations: readonly Operation[];
  /** Its closed lists of codes, besides faults. */
  readonly codes?: readonly CodeTable[];
}
