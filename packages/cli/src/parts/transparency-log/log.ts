import type { Command } from 'commander';
import type { Session } from '../../session.ts';
import { addAudit } from './audit.ts';
import { addMonitor } from './monitor.ts';
import { addProof } from './proof.ts';

/** Adds the commands about transparency logs. */
export function addLog(program: Command, session: Session): void {
  const log = program.command('log').description('Audit and monitor transparency logs of certificates.');
  addAudit(log, session);
  addMonitor(log, session);
  addProof(log, session);
}
