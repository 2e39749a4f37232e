import type { AddCommand } from '../part.ts';
import { PARTS } from '../parts.ts';
import { addBatch } from './batch.ts';
import { addCertificates } from './certificates.ts';
import { addChanges } from './changes.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import { addDatabase } from './database.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addDomains } from './domains.ts';
import { addEmbed } from './embed.ts';
import { addHealth } from './health.ts';
import { addImages } from './images.ts';
import { addImport } from './import.ts';
import { addInspect } from './inspect.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addMerchants } from './merchants.ts';
import { addProducts } from './products.ts';
import { addRead } from './read.ts';
import { addServe } from './serve.ts';
import { addStatus } from './status.ts';
import { addStores } from './stores.ts';
import { addTrust } from './trust.ts';
import { addVerify } from './verify.ts';
import { addWithdrawals } from './withdrawals.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly AddCommand[] = [
  addServe,
  addDatabase,
  addHealth,
  addDemo,
  addCheck,
  addBatch,
  addVerify,
  addRead,
  addInspect,
  addImport,
  addProducts,
  addWithdrawals,
  addCertificates,
  addEmbed,
  addImages,
  addStatus,
  addChanges,
  addMerchants,
  addStores,
  addDomains,
  addKeys,
  ...PARTS.flatMap(({ commands = [] }) => commands),
  addDoctor,
  addTrust,
  addMcp,
  addCompletion,
];
