import { receiptsPart as contract } from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { integer } from '../../platform/settings/setting-types.ts';
import type { EvidenceContext } from './evidence-table.ts';
import { createReceipts } from './give-receipt.ts';

const SETTINGS = {
  EVIDENCE_MB_PER_MERCHANT: integer(0, 100_000)
    .default(200)
    .describe('Megabytes of evidence (pages, kept with their receipts) that a merchant may keep; 0: none.'),
};

/** Signs receipts of verifications and page checks, which third parties verify without the service, and keeps evidence with them. */
export const receiptsPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  receipts: (core) => createReceipts(core, evidenceOf(core)),
  async open(core) {
    const { openReceipts } = await import('./open-receipts.ts');
    return openReceipts(core, evidenceOf(core));
  },
};

function evidenceOf({ db, clock, secrets, blobs, config }: Core): EvidenceContext {
  const { EVIDENCE_MB_PER_MERCHANT: megabytes } = settingsIn(SETTINGS, config);
  return { db, clock, secrets, blobs, quota: megabytes * 1_000_000 };
}
