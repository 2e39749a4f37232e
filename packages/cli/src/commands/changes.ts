import type { RegistryChange } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import type { Progress } from '../output/progress.ts';
import { safe } from '../output/text.ts';
import { watch } from '../output/watch.ts';
import { everyItem, registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

interface ChangesOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly key?: string;
}

export function addChanges(program: Command, session: Session): void {
  program
    .command('changes')
    .description(
      'List the large changes still being applied to products: of capacity, stores, domains, signing.',
    )
    .option('--watch', 'wait until all of them are applied')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) =>
      printChanges(session, command.optsWithGlobals<ChangesOptions>()),
    );
}

async function printChanges(session: Session, options: ChangesOptions): Promise<void> {
  const client = registryClient(session, options);
  const ask = () =>
    everyItem(
      (cursor) => client.call('listRegistryChanges', { query: { cursor } }),
      ({ changes: some }) => some,
    );
  const changes = options.watch ? await watch(session.io, 'products', ask, showProgress) : await ask();
  session.print(options, { changes }, () => `${words(changes).join('\n')}\n`);
  session.exitCode = changes.length === 0 ? EXIT.verified : EXIT.unverified;
}

/** Shows how many products are done. @returns whether all are */
function showProgress(changes: readonly RegistryChange[], progress: Progress): boolean {
  if (changes.length === 0) return true;
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const isCounted = changes.every(({ total }) => total !== undefined);
  progress.update({
    done: sum(changes.map(({ done }) => done)),
    ...(isCounted ? { total: sum(changes.map(({ total = 0 }) => total)) } : {}),
    failed: 0,
  });
  return false;
}

function words(changes: readonly RegistryChange[]): string[] {
  if (changes.length === 0) return ['Every change is applied.'];
  return changes.map(({ kind, merchantId, storeId, hostname, done, total, since }) => {
    const what = {
      capacity: `capacity of merchant ${merchantId}`,
      store_deletion: `deletion of store ${storeId}`,
      domain: `domain ${hostname} of store ${storeId}`,
      image_signing: `signing of images of store ${storeId}`,
      hide: `hiding of products of store ${storeId}`,
      show: `showing of products of store ${storeId}`,
      withdraw: `withdrawal of certificates of store ${storeId}`,
      delete: `deletion of products of store ${storeId}`,
      restore: `restoring of deleted products of store ${storeId}`,
    }[kind];
    return safe(`${what}: ${done}${total === undefined ? '' : ` of ${total}`} products, since ${since}`);
  });
}
