import * as contract from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { createGetKeySet } from '../../core/keys/get-key-set.ts';
import type { OpenPart } from '../../core/part.ts';
import { andThen } from '../../platform/and-then.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/http/access.ts';
import { documentReply, implement, NO_CONTENT, ok } from '../../platform/http/implement.ts';
import {
  deleteEvidence,
  deleteExpiredEvidence,
  type EvidenceContext,
  listEvidence,
  readEvidence,
} from './evidence-table.ts';

export type OpenReceiptsCore = Pick<Core, 'clock' | 'keys' | 'caching' | 'publicDocuments'>;

export function openReceipts(core: OpenReceiptsCore, evidence: EvidenceContext): OpenPart {
  const { clock, caching, keys } = core;
  const getKeys = createGetKeySet<contract.ReceiptKeys>({
    clock,
    caching,
    read: async () => ({ keys: (await keys.receipts.published()).map(({ jwk }) => jwk) }),
  });
  core.publicDocuments.add(async () => [{ path: contract.getReceiptKeys.path, ...(await getKeys()) }]);
  return {
    routes: [
      implement(contract.getReceiptKeys, () => andThen(getKeys(), documentReply)),
      implement(contract.listEvidence, async (_, { identity }) =>
        ok(
          identity?.role === 'merchant'
            ? await listEvidence(evidence, identity.merchantId)
            : { evidence: [], bytes: 0, quotaBytes: 0 },
        ),
      ),
      implement(contract.getEvidence, async ({ params: { evidence_id: id } }, { identity }) => {
        const headers = {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="evidence-${id}.zip"`,
        };
        return { status: 200, headers, body: await readEvidence(evidence, ownerOf(identity), id) };
      }),
      implement(contract.deleteEvidence, async ({ params }, { identity }) => {
        await deleteEvidence(evidence, ownerOf(identity), params.evidence_id);
        return NO_CONTENT;
      }),
    ],
    tasks: [
      { name: 'delete expired evidence', every: 3_600_000, run: () => deleteExpiredEvidence(evidence) },
    ],
  };
}

/** Whose evidence is asked for: an operator has none. @throws ServiceError `evidence_unknown` */
function ownerOf(identity: Identity | null): string {
  if (identity?.role === 'merchant') return identity.merchantId;
  throw new ServiceError('evidence_unknown');
}
