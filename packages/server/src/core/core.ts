import type { Operation } from '@touchstone/contract';
import type { ImageWorkers } from '@touchstone/image/node';
import type { Readiness } from '../platform/health/readiness.ts';
import type { Fetchers } from '../platform/network/fetchers.ts';
import type { Certificates } from './certificates/open-certificates.ts';
import type { ProofLog } from './certificates/proof-log.ts';
import type { BlobStore } from './images/blobs/blob-store.ts';
import type { Keys } from './keys/open-keys.ts';
import type { NodeContext } from './node-context.ts';
import type { KnownSites } from './page-checks/known-sites.ts';
import type { PageChecks } from './page-checks/open-page-checks.ts';
import type { PagePictures } from './page-checks/page-pictures.ts';
import type { PublicDocuments } from './public-documents.ts';
import type { Registry } from './registry/context.ts';
import type { VerifyItem } from './verification/item-verifier.ts';
import type { VerifyCarried } from './verification/verify-product.ts';

/** The core on one node, as far as parts may use it. */
export interface Core extends NodeContext {
  readonly registry: Registry;
  readonly keys: Keys;
  readonly fetchers: Fetchers;
  readonly blobs: BlobStore;
  /** Processes that decode and inspect images. */
  readonly imageWorkers: Pick<ImageWorkers, 'inspect'>;
  readonly certificates: Certificates;
  readonly verifyCarried: VerifyCarried;
  readonly pageChecks: PageChecks;
  /** As the part that has it made it. */
  readonly proofLog?: ProofLog;
  /** As the part that has it made it. */
  readonly knownSites?: KnownSites;
  /** As the part that has it made it. */
  readonly pagePictures?: PagePictures;
  /** As the part that has it made it. */
  readonly verifyItem?: VerifyItem;
  readonly publicDocuments: PublicDocuments;
  readonly readiness: Readiness;
  readonly present: Present;
}

/** What this service consists of. */
export interface Present {
  /** The operations of the core and of the present parts. */
  readonly operations: readonly Operation[];
  /** The HTML pages of the present parts that do not depend on an answer. */
  readonly pages: readonly StaticPage[];
}

/** An HTML page at the address of an operation. */
export interface StaticPage {
  readonly operation: Operation;
  readonly page: string;
}
