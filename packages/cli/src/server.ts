import { cannotTell } from './cli-error.ts';
import { VERSION } from './version.ts';

/**
 * Loads a part of the service. It is installed apart from this program, which without it needs a tenth of the room.
 *
 * @throws CliError saying what to install, where it is not
 */
export async function fromServer<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@touchstone/server'")) throw error;
    throw cannotTell(
      'service_not_installed',
      'This command needs the service, which is not installed here.',
      `Install it beside this program: npm install @touchstone/server@${VERSION} (with --global, if this program is).`,
      error,
    );
  }
}
