import type { Command } from 'commander';
import type { Session } from '../../session.ts';

/** Adds the commands about transparency logs. */
export function addLog(program: Command, _session: Session): void {
  program.command('log').description('Audit and monitor transparency logs of certificates.');
}
