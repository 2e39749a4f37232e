import { cannotTell } from './cli-error.ts';
import { VERSION } from './version.ts';

/**
 * Loads a part of the service, which is installed separately; without it this program needs a tenth of the space.
 *
 * @throws CliError that says what to install, if it is missing
 */
export async function fromServer<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@touchstone/server'")) throw error;
    throw cannotTell(
      'service_not_installed',
      'This command requires the service, which is not installed here.',
      `Install it with this program: npm install @touchstone/server@${VERSION} (with --global, if this program is).`,
      error,
    );
  }
}
