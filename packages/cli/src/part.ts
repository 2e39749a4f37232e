import type { Command } from 'commander';
import type { Session } from './session.ts';
import type { ReadPart } from './status/status-part.ts';

export type AddCommand = (program: Command, session: Session) => void;

/** What a part of the service adds to the command line. */
export interface CliPart {
  readonly name: string;
  readonly commands?: readonly AddCommand[];
  /** What `touchstone status` tells of it. */
  readonly status?: readonly ReadPart[];
}
