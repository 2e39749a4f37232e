import type { RegistryChange } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { createServiceClient, type ServiceClient } from '../client.ts';
import { createProgress } from '../output/progress.ts';
import { safe } from '../output/text.ts';
import type { Session } from '../session.ts';
import { apiKey, type GlobalOptions, serviceUrl } from '../settings.ts';

interface ChangesOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly key?: string;
}

/** Milliseconds between two questions of `--watch`. */
const PACE = 1_000;

export function addChanges(program: Command, session: Session): void {
  program
    .command('changes')
    .description('Tell which large changes products still follow: of capacity, stores, domains, signing.')
    .option('--watch', 'stay until products have followed all of them')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) =>
      tellChanges(session, command.optsWithGlobals<ChangesOptions>()),
    );
}

async function tellChanges(session: Session, options: ChangesOptions): Promise<void> {
  const { io } = session;
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 4,
  });
  const changes = options.watch ? await watch(client, session) : await pendingChanges(client);
  session.print(options, { changes }, () => `${words(changes).join('\n')}\n`);
  session.exitCode = changes.length === 0 ? EXIT.verified : EXIT.unverified;
}

async function watch(client: ServiceClient, { io }: Session): Promise<RegistryChange[]> {
  const progress = createProgress(io);
  try {
    for (;;) {
      const changes = await pendingChanges(client);
      if (changes.length === 0 || io.stop.aborted) return changes;
      const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
      const isCounted = changes.every(({ total }) => total !== undefined);
      progress.update({
        done: sum(changes.map(({ done }) => done)),
        ...(isCounted ? { total: sum(changes.map(({ total = 0 }) => total)) } : {}),
        failed: 0,
      });
      await io.sleep(PACE);
    }
  } finally {
    progress.end();
  }
}

async function pendingChanges(client: ServiceClient): Promise<RegistryChange[]> {
  const all: RegistryChange[] = [];
  for (let cursor: string | undefined; ; ) {
    const { changes, nextCursor } = await client.call('listRegistryChanges', { query: { cursor } });
    all.push(...changes);
    if (nextCursor === undefined) return all;
    cursor = nextCursor;
  }
}

function words(changes: readonly RegistryChange[]): string[] {
  if (changes.length === 0) return ['Products have followed every change.'];
  return changes.map(({ kind, merchantId, storeId, hostname, done, total, since }) => {
    const what = {
      capacity: `capacity of merchant ${merchantId}`,
      store_deletion: `deletion of store ${storeId}`,
      domain: `domain ${hostname} of store ${storeId}`,
      image_signing: `signing of images of store ${storeId}`,
      hide: `hiding of products of store ${storeId}`,
      show: `showing of products of store ${storeId}`,
      delete: `deletion of products of store ${storeId}`,
      restore: `return of deleted products of store ${storeId}`,
    }[kind];
    return safe(`${what}: ${done}${total === undefined ? '' : ` of ${total}`} products, since ${since}`);
  });
}
