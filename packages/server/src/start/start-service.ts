import { openNode } from '../compose.ts';
import { prepareService, startOrClose } from '../core/prepare.ts';
import { ensureOperatorKey } from '../core/registry/api-keys/operator-key.ts';
import type { Overrides, RunningService } from '../core/running-service.ts';
import { SCHEMAS } from '../parts.ts';
import type { Config } from '../platform/settings/config.ts';
import { checkNamedFiles } from './check-named-files.ts';

/**
 * Starts a whole service in this process: database, keys, use cases, HTTP. On failure everything opened so far is closed
 * again.
 *
 * @param commit - that runs, for the metrics
 * @throws StartError for what an operator can fix
 */
export async function startService(
  config: Config,
  overrides: Overrides = {},
  commit?: string,
): Promise<RunningService> {
  return startOrClose(config, overrides, async (start) => {
    await checkNamedFiles(config, start.clock());
    const { place, embedded, lost } = await prepareService(start, SCHEMAS);
    const { url, baseUrl } = place;
    const node = await openNode(start, place, { isOnlyNode: embedded !== undefined, commit });
    // after everything that can fail: a key created by a start that then fails would never be shown
    const operator = await ensureOperatorKey(config, node, start.clock());
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
