import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WorkerContext } from '../../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Config } from '../../platform/settings/config.ts';
import { deleteUndoRecords } from './changes/delete-old-changes.ts';
import { openChanges } from './changes/open-changes.ts';
import type { Registry } from './context.ts';
import type { Emit } from './events.ts';
import { fillPageKeys } from './products/fill-page-keys.ts';

export interface RegistryOptions extends WorkerContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly emit: Emit;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'productLimits'>;
}

const MINUTE = 60_000;

export function openRegistry(options: RegistryOptions): {
  readonly registry: Registry;
  readonly tasks: readonly ScheduledTask[];
} {
  const { db, clock, secrets, changes, emit } = options;
  const registry: Registry = {
    db,
    clock,
    secrets,
    onChange: (changed) => changed.forEach(changes.publish),
    emit,
    limits: options.config.productLimits,
  };
  return {
    registry,
    tasks: [
      openChanges({ ...options, registry }),
      { name: 'delete undo records', every: MINUTE, run: () => deleteUndoRecords(registry) },
      { name: 'make missing page keys', every: 10_000, run: () => fillPageKeys(db) },
    ],
  };
}
