import { checkNamedFiles } from './check-named-files.ts';
import { ensureOperatorKey } from './core/registry/api-keys/operator-key.ts';
import { tell } from './listeners.ts';
import { openNode } from './node.ts';
import type { Config } from './platform/settings/config.ts';
import { prepareService, startOrClose } from './prepare.ts';
import type { Overrides, RunningService } from './running-service.ts';

/**
 * Starts a whole service in this process: database, keys, use cases, HTTP. On failure everything opened so far is closed
 * again.
 *
 * @throws StartError for what an operator can fix
 */
export async function startService(config: Config, overrides: Overrides = {}): Promise<RunningService> {
  return startOrClose(config, overrides, async (start) => {
    await checkNamedFiles(config, start.clock());
    const { place, embedded, lost } = await prepareService(start);
    const { url, baseUrl } = place;
    const node = await openNode(start, place, { isOnlyNode: embedded !== undefined });
    // after everything that can fail: a key created by a start that then fails would never be shown
    const operator = await ensureOperatorKey(config, { ...node, tell }, start.clock());
    await node.listen();
    await embedded?.setAddress(url);
    start.logger.info({ url, baseUrl, database: embedded ? config.dataDir : 'DATABASE_URL' }, 'listening');
    return {
      url,
      baseUrl,
      failed: lost,
      ...operator,
      async close() {
        await node.close();
        start.logger.info('closed');
      },
    };
  });
}
