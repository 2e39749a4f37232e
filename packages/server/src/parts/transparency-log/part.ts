import { transparencyLogPart as contract } from '@touchstone/contract';
import { z } from 'zod';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { TransparencyLog } from './transparency-log.ts';

const SETTINGS = {
  LOG_POLICY: z
    .string()
    .optional()
    .describe(
      'Path of a tlog-policy file (C2SP): the witnesses that cosign the checkpoints of the transparency log, each with its address, and the quorum. Without it, proofs are logged and not witnessed.',
    ),
};

/** Logs every proof, so that anyone can see what was issued for a domain (C2SP tlog-tiles). */
export const transparencyLogPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  proofLog: (context) => new TransparencyLog(context),
  async open(core) {
    if (!(core.proofLog instanceof TransparencyLog)) throw new Error('another part logs the proofs');
    const { LOG_POLICY: policyFile } = settingsIn(SETTINGS, core.config);
    const { openTransparencyLog } = await import('./open-transparency-log.ts');
    return openTransparencyLog({ ...core, log: core.proofLog, policyFile });
  },
};
