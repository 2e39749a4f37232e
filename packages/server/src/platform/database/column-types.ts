import type {
  ImageCredentials,
  NftRecord,
  ProductAttribute,
  ProductSnapshot,
  SignerTrust,
} from '@touchstone/certificate';
import type {
  Availability,
  CopyHost,
  DomainProof,
  ImageState,
  Price,
  ProductFilter,
} from '@touchstone/contract';
import type { DriftField } from '@touchstone/contract/codes';

/** Types of columns that the database does not know: of each `jsonb` column, and of text without a check. */
export interface ColumnTypes {
  'certificate_due.failure': JobFailure;
  'control_checks.saw': DomainProof['saw'];
  'copy_hosts.found': CopyHost['found'];
  'events.detail': Record<string, unknown>;
  'events.items': unknown[];
  'images.credentials': ImageCredentials;
  'images.manifest_failures': string[];
  'images.nft': NftRecord;
  'images.trust': SignerTrust;
  'imports.failure': { code: string; detail: string };
  'imports.kind': SourceKindName;
  'imports.problems': Record<string, ImportProblem>;
  'jobs.failure': JobFailure;
  'jobs.image_state': ImageState;
  'nodes.findings': string[];
  'nodes.problems': string[];
  'products.attributes': ProductAttribute[];
  'products.availability': Availability;
  'products.price': Price;
  'proofs.snapshot': ProductSnapshot;
  'registry_changes.filter': ProductFilter;
  'shopify_connections.problem': ConnectionProblem;
  'shopify_products.failure': ConnectionProblem;
  'signing_keys.public_jwk': Record<string, string>;
  'store_days.pages': Record<string, number>;
  'store_sources.kind': SourceKindName;
  'sweep_pages.drift': RecordedDrift[];
}

type SourceKindName = 'auto' | 'shopify' | 'woocommerce' | 'document' | 'sitemap';

/** Why an attempt at a job came to nothing. */
export interface JobFailure {
  readonly code: string;
  readonly detail: string;
  /** RFC 3339. */
  readonly at: string;
  readonly attempts: number;
  /** RFC 3339: while something of the service's own is not reachable, when that was first met. */
  readonly since?: string;
}

export interface ImportProblem {
  readonly count: number;
  readonly example: { readonly row: number; readonly externalProductId?: string; readonly reason: string };
}

export interface ConnectionProblem {
  readonly code: string;
  readonly detail: string;
  /** RFC 3339. */
  readonly since: string;
}

/** A field of which a page states something else than the catalogue, or than the certificate that it carries. */
export interface RecordedDrift {
  readonly field: DriftField;
  /** What the catalogue states; absent: it does not differ. */
  readonly catalogue?: string;
  /** What the certificate signs; absent: it does not differ, or is about to be replaced. */
  readonly signed?: string;
  readonly page: string;
  /** When a page was fetched that showed it first, and last; RFC 3339. */
  readonly since: string;
  readonly lastAt: string;
  /** Pages fetched that showed it. */
  readonly times: number;
  /** When it was told; RFC 3339. Absent: it was not confirmed so far. */
  readonly toldAt?: string;
}
