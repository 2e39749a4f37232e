import type { ContractPart } from '@touchstone/contract';
import type { z } from 'zod';
import type { Authenticate } from '../platform/http/authenticate.ts';
import type { PageOf, Route } from '../platform/http/route.ts';
import type { WorkerOptions } from '../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import type { ProofLog } from './certificates/proof-log.ts';
import type { StatusEntries } from './certificates/status-entries.ts';
import type { Core, StaticPage } from './core.ts';
import type { NodeContext } from './node-context.ts';
import type { ReceiptsAndEvidence } from './page-checks/check-with-receipt.ts';
import type { KnownSites } from './page-checks/known-sites.ts';
import type { PagePictures } from './page-checks/page-pictures.ts';
import type { CoreListener } from './registry/events.ts';
import type { VerifyItem } from './verification/item-verifier.ts';

/** A part of the service: what it is, as data, and how it is opened. `parts.ts` lists them all. */
export interface Part extends ContractPart {
  /** Whether it has tables: `schema.sql` in its folder. */
  readonly hasTables?: boolean;
  /** Its settings, without the prefix `TOUCHSTONE_`; read by `settingsIn`. */
  readonly settings?: z.ZodRawShape;
  /** HTML pages that do not depend on an answer, by name in `packages/web`. The part `pages` serves them. */
  readonly pages?: readonly StaticPage[];
  /** Whether it shows answers as pages to people. */
  readonly servesPages?: boolean;
  /**
   * Makes what its sources need to have been made, once per service, before it is opened.
   *
   * @param write - prints a line for the person who starts the service
   */
  readonly prepare?: (write: (line: string) => void) => Promise<void>;
  /** What it does when something happens in the core, in the same transaction. */
  readonly listeners?: CoreListener;
  /** The setting without which its listeners are not called: they would find nothing to do. */
  readonly listensWith?: string;
  /** Whether it gives the entries of status lists that new proofs name, once it is open. Without such a part, they name none. */
  readonly givesStatusEntries?: boolean;
  /** The transparency log of all proofs. Without such a part, none is logged. */
  readonly proofLog?: (context: NodeContext) => ProofLog;
  /** Knows which hosts resemble proven ones. Without such a part, page checks tell nothing of them. */
  readonly knownSites?: (context: NodeContext) => KnownSites;
  /** Knows where the pictures of checked pages are certified. Without such a part, nobody is told of them. */
  readonly pagePictures?: (core: Core) => PagePictures;
  /** Signs receipts of what the core answers and keeps evidence, for callers who ask. Without such a part, they are refused. */
  readonly receipts?: (core: Core) => ReceiptsAndEvidence;
  /** Verifies items of feeds. Without such a part, agents have no tool for them. */
  readonly verifyItem?: (core: Core) => VerifyItem;
  /** Opens it on this node. It declares what it needs of the core as its parameter, and imports no other part. */
  readonly open: (core: Core) => Promise<OpenPart>;
}

/** A part on one node. */
export interface OpenPart {
  readonly routes: readonly Route[];
  readonly statusEntries?: StatusEntries;
  /** The jobs that it runs on this node. */
  readonly queues?: readonly WorkerOptions[];
  /** Maintenance that may miss a run, once per service. */
  readonly tasks?: readonly ScheduledTask[];
  /** Identifies callers by the cookie of a session. */
  readonly findSession?: Authenticate;
  /** The page that shows the answers of an operation, also of the core; `undefined`: it has none. */
  readonly pageFor?: (operation: string) => PageOf | undefined;
}
