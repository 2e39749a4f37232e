import { readConfig } from '../../parts.ts';
import { type Config, ConfigError, type Settings } from '../../platform/settings/config.ts';
import { examineAddress, examineNode } from './address.ts';
import { examineDatabase } from './database.ts';
import { examineBackup, examineDisk, examineSecrets, examineTrust } from './files.ts';
import { examined, type Finding, finding, ok } from './finding.ts';

export interface ExamineOptions {
  /** The settings of the service on this machine. */
  readonly settings: Settings;
  readonly clock: () => Date;
  /** File or folder of backups. */
  readonly backup?: string | undefined;
}

/**
 * Examines the service on this machine and what it depends on: settings, disk, secrets, database, clock, address, keys, trust lists,
 * backups. Nothing is changed, and the service need not run. Findings come as soon as they are made.
 */
export async function* examineService({ settings, clock, backup }: ExamineOptions): AsyncGenerator<Finding> {
  const config = configOf(settings);
  if (config instanceof ConfigError) {
    for (const fault of config.faults) yield finding('settings', 'fault', `${fault}.`);
    return;
  }
  const { unknown } = config;
  if (unknown.length === 0) yield ok('settings', 'They can be used.');
  else
    yield finding(
      'settings',
      'warning',
      `${unknown.join(', ')} mean nothing.`,
      'Look for a misspelling in docs/settings.md.',
    );
  yield* await examined('disk', () => examineDisk(config));
  yield* await examined('secrets', () => examineSecrets(config));
  yield* await examined('database', () => examineDatabase(config, clock));
  yield* await examined('service', () => examineNode(config, clock()));
  yield* await examined('public address', () => examineAddress(config, clock));
  yield* await examined('trust lists', () => examineTrust(config, clock()));
  yield* await examined('backups', () => examineBackup(backup, clock()));
}

function configOf(settings: Settings): Config | ConfigError {
  try {
    return readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
