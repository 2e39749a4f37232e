import type { CliPart } from './part.ts';
import { addFeed } from './parts/items/feed.ts';
import { addPublish } from './parts/publish/publish.ts';
import { addEvidence } from './parts/receipts/evidence.ts';
import { addReceipt } from './parts/receipts/receipt.ts';
import { addConnect } from './parts/shopify/connect.ts';
import { shopifyPart } from './parts/shopify/shopify-status.ts';
import { addLookalikes } from './parts/sites/lookalikes.ts';
import { importPart } from './parts/sources/import-status.ts';
import { addStatusLists } from './parts/status-lists/status-lists.ts';
import { pagePart } from './parts/sweeps/page-status.ts';
import { addSweeps } from './parts/sweeps/sweeps.ts';
import { addLog } from './parts/transparency-log/log.ts';
import { addWitness } from './parts/transparency-log/witness/commands.ts';
import { addWebhooks } from './parts/webhooks/webhooks.ts';

/** The parts of the service that have commands, or something to tell of a store. A service may run without any of them. */
export const PARTS: readonly CliPart[] = [
  { name: 'sources', status: [importPart] },
  { name: 'shopify', commands: [addConnect], status: [shopifyPart] },
  { name: 'sites', commands: [addLookalikes] },
  { name: 'items', commands: [addFeed] },
  { name: 'sweeps', commands: [addSweeps], status: [pagePart] },
  { name: 'webhooks', commands: [addWebhooks] },
  { name: 'status-lists', commands: [addStatusLists] },
  { name: 'receipts', commands: [addReceipt, addEvidence] },
  { name: 'publish', commands: [addPublish] },
  { name: 'transparency-log', commands: [addLog, addWitness] },
];
