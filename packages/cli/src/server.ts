import { cannotTell } from './cli-error.ts';
import { VERSION } from './version.ts';

/** The oldest Node that runs the service, as `engines` of its package says. */
export const NODE_OF_SERVICE = '22.18';

/**
 * Loads a part of the service, which is installed separately; without it this program needs a tenth of the space.
 *
 * @param load - called only on a Node that runs the service
 * @throws CliError that says what to install, if the service is missing or needs a newer Node
 */
export async function fromServer<T>(load: () => Promise<T>, node = process.versions.node): Promise<T> {
  if (isOlder(node, NODE_OF_SERVICE))
    throw cannotTell(
      'node_too_old',
      `The service needs Node ${NODE_OF_SERVICE} or newer, and this is Node ${node}.`,
    );
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@touchstone/server'")) throw error;
    throw cannotTell(
      'service_not_installed',
      'This command requires the service, which is not installed here.',
      `Run it where the service of version ${VERSION} is installed: docs/guides/operator.md of its sources shows how.`,
      error,
    );
  }
}

function isOlder(version: string, needed: string): boolean {
  return version.localeCompare(needed, 'en', { numeric: true }) < 0;
}
