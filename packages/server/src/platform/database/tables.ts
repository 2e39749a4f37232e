import type {
  ImageCredentials,
  NftRecord,
  ProductAttribute,
  ProductSnapshot,
  SignerTrust,
} from '@touchstone/certificate';
import type { DomainProof, ImageState, ProductFilter } from '@touchstone/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables of `migrations/`, as kysely sees them. */
export interface Tables {
  merchants: MerchantsTable;
  api_keys: ApiKeysTable;
  console_sessions: ConsoleSessionsTable;
  stores: StoresTable;
  product_counts: ProductCountsTable;
  hostname_owners: HostnameOwnersTable;
  control_checks: ControlChecksTable;
  control_contests: ControlContestsTable;
  domains: DomainsTable;
  products: ProductsTable;
  images: ImagesTable;
  image_certifications: ImageCertificationsTable;
  image_tokens: ImageTokensTable;
  jobs: JobsTable;
  registry_changes: RegistryChangesTable;
  certificate_stores: CertificateStoresTable;
  certificate_due: CertificateDueTable;
  certificate_lines: CertificateLinesTable;
  shopify_connections: ShopifyConnectionsTable;
  shopify_products: ShopifyProductsTable;
  signing_keys: SigningKeysTable;
  store_request_headers: StoreRequestHeadersTable;
  store_sources: StoreSourcesTable;
  imports: ImportsTable;
  import_products: ImportProductsTable;
  proofs: ProofsTable;
  observations: ObservationsTable;
  fetch_leases: FetchLeasesTable;
  page_texts: PageTextsTable;
  page_checks: PageChecksTable;
  rate_windows: RateWindowsTable;
  idempotency_keys: IdempotencyKeysTable;
  copies: CopiesTable;
  copy_domains: CopyDomainsTable;
  webhooks: WebhooksTable;
  events: EventsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

export interface MerchantsTable {
  id: string;
  name: string;
  plan_capacity: number;
  slots_held: Generated<number>;
  paused: Generated<boolean>;
  seats_unsettled: Generated<boolean>;
  product_limit: number | null;
  created_at: Generated<Date>;
}

export interface ApiKeysTable {
  id: string;
  merchant_id: string | null;
  role: 'operator' | 'merchant';
  label: Generated<string>;
  key_hash: Buffer;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  /** Of the calendar in UTC. */
  last_used_on: ColumnType<string | null, never, string | null>;
  mac: Buffer | null;
}

export interface ConsoleSessionsTable {
  token_hash: Buffer;
  key_id: string;
  begun_at: Date;
  seen_at: Date;
  mac: Buffer | null;
}

export type Platform = 'shopify' | 'woocommerce' | 'custom';

export interface ProductCountsTable {
  store_id: string;
  merchant_id: string;
  products: number;
}

export interface StoresTable {
  id: string;
  merchant_id: string;
  name: string;
  url: string;
  platform: Generated<Platform>;
  sign_images: Generated<boolean>;
  sign_remote_manifests: Generated<boolean>;
  created_at: Generated<Date>;
  deleted_at: Date | null;
}

export type DomainProofMethod = 'well_known' | 'meta_tag' | 'dns_txt';

export interface HostnameOwnersTable {
  hostname: string;
  merchant_id: string;
  method: DomainProofMethod;
  proven_at: Generated<Date>;
  confirmed_at: Generated<Date>;
  missed_since: Date | null;
  check_at: Generated<Date>;
  mac: Buffer | null;
}

export interface ControlChecksTable {
  id: Generated<string>;
  merchant_id: string;
  hostname: string;
  checked_at: Date;
  reason: 'requested' | 'scheduled' | 'contested';
  outcome: 'found' | 'missed' | 'undecided';
  method: DomainProofMethod | null;
  saw: JSONColumnType<DomainProof['saw'], string | undefined, string> | null;
}

export interface ControlContestsTable {
  hostname: string;
  store_id: string;
  begun_at: Date;
  check_at: Date;
}

export interface DomainsTable {
  store_id: string;
  hostname: string;
  created_at: Generated<Date>;
  lost_at: Date | null;
}

export interface ProductsTable {
  id: string;
  store_id: string;
  merchant_id: string;
  external_product_id: string;
  name: string;
  url: string;
  host: string;
  /** bigint, as text; null: to be made. */
  page_key: ColumnType<string | null, string | null | undefined, string | null>;
  sku: string | null;
  gtin: string | null;
  brand: string | null;
  attributes: JSONColumnType<ProductAttribute[], string, string>;
  visible: Generated<boolean>;
  disabled: Generated<boolean>;
  deleted_at: Date | null;
  host_known: Generated<boolean>;
  /** bigint, as text. */
  created_order: Generated<string>;
  slot_order: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ImagesTable {
  id: string;
  product_id: string;
  url: string;
  external_id: string | null;
  position: number;
  removed_at: Date | null;
  media_type: string | null;
  width: number | null;
  height: number | null;
  upload_date: Date | null;
  version: Generated<number>;
  credentials: JSONColumnType<ImageCredentials | null, string | null, string | null>;
  /** The token may refer to earlier bytes: it is valid only while its `uhash` equals that of `credentials`. */
  nft: JSONColumnType<NftRecord | null, string | null, string | null>;
  created_at: Generated<Date>;
  scanned_at: Date | null;
  host: Generated<string>;
  etag: string | null;
  last_modified: string | null;
  source_uhash: string | null;
  frame_code: string | null;
  appearance: string | null;
  blob_key: string | null;
  signed_by_us: Generated<boolean>;
  trust: JSONColumnType<SignerTrust | null, string | null, string | null>;
  trust_list: string | null;
  given_up: Generated<boolean>;
  manifest_failures: JSONColumnType<string[] | null, string | null, string | null>;
}

export interface ImageCertificationsTable {
  image_id: string;
  source_uhash: string;
  blob_key: string;
  signed_by_us: boolean;
  certified_at: Date;
  signed_until: Date | null;
  merchant_id: string;
  first_certified_at: Date;
}

/** The image to which a token refers. */
export interface ImageTokensTable {
  /** bigint, as text. */
  chain_id: ColumnType<string, number>;
  contract: string;
  token_id: string;
  image_id: string;
}

export interface JobsTable {
  queue: string;
  subject: string;
  owner: string;
  resource: Generated<string>;
  state: Generated<'ready' | 'scheduled' | 'running' | 'idle'>;
  due_at: Generated<Date | null>;
  orders: Generated<number>;
  attempts: Generated<number>;
  interrupted: Generated<number>;
  lease: string | null;
  leased_until: Date | null;
  result: 'done' | 'failed' | null;
  failure: JSONColumnType<JobFailure | null, string | null, string | null>;
  finished_at: Date | null;
  /** It made room for others. */
  displaced: Generated<boolean>;
  /** Of scans of images; triggers keep these. */
  live: Generated<boolean>;
  image_state: ImageState | null;
  image_marks: Generated<number>;
}

export type ChangeKind =
  | 'capacity'
  | 'store_deletion'
  | 'domain'
  | 'image_signing'
  | 'hide'
  | 'show'
  | 'delete'
  | 'restore';

export interface RegistryChangesTable {
  id: string;
  merchant_id: string;
  /** bigint, as text. */
  nth: Generated<string>;
  kind: ChangeKind;
  store_id: string | null;
  hostname: string | null;
  /** bigint, as text; null: all products are in line. */
  read_to: ColumnType<string | null, string | null | undefined, string | null>;
  done: Generated<number>;
  total: number | null;
  created_at: Date;
  finished_at: Date | null;
  filter: JSONColumnType<ProductFilter | null, string | null | undefined, string | null>;
  /** bigint, as text. */
  up_to: ColumnType<string | null, string | null | undefined, string | null>;
  changed: Generated<number>;
  undoes: ColumnType<string | null, string | null | undefined, string | null>;
  undone_by: ColumnType<string | null, string | null | undefined, string | null>;
  key_id: ColumnType<string | null, string | null | undefined, string | null>;
  remembers: Generated<boolean>;
}

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

export interface CertificateStoresTable {
  store_id: string;
  /** bigint, as text. */
  position: Generated<string>;
  certificates: Generated<number>;
  visit_after: string | null;
  visit_total: number | null;
  visited: Generated<number>;
  form: string | null;
  idle: Generated<boolean>;
  busy_since: Date | null;
  done_at: Date | null;
  done: Generated<number>;
  per_second: Generated<number>;
  /** bigint, as text: since the beginning. */
  issued: Generated<string>;
  renewed: Generated<string>;
  withdrawn: Generated<string>;
}

export interface CertificateDueTable {
  product_id: string;
  store_id: string;
  due_at: Generated<Date>;
  taken: string | null;
  taken_at: Date | null;
  /** Lease of the job; null: a stream took it. */
  taken_by: string | null;
  failure: JSONColumnType<JobFailure | null, string | null, string | null>;
}

export interface CertificateLinesTable {
  product_id: string;
  store_id: string;
  /** bigint, as text. */
  position: string;
  proof_id: string | null;
  kid: string | null;
  renew_at: Date | null;
}

type SourceKindName = 'auto' | 'shopify' | 'woocommerce' | 'document' | 'sitemap';
type PruneRule = 'never' | 'cautious' | 'always';

export interface StoreSourcesTable {
  store_id: string;
  /** Encrypted. */
  url: Buffer;
  kind: SourceKindName;
  every_hours: number;
  prune: PruneRule;
  next_at: Date;
}

export interface ImportsTable {
  id: string;
  store_id: string;
  /** Encrypted. */
  url: Buffer;
  kind: SourceKindName;
  prune: PruneRule;
  scheduled: boolean;
  state: Generated<'waiting' | 'running' | 'done' | 'failed'>;
  /** JSON, encrypted: it contains addresses. */
  cursor: Buffer | null;
  total: number | null;
  created: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  revived: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  /** Rows in error by kind. */
  problems: JSONColumnType<Record<string, ImportProblem>, string | undefined, string>;
  missing: number | null;
  deleted: number | null;
  failure: JSONColumnType<{ code: string; detail: string }, string | null, string | null> | null;
  created_at: Date;
  begun_at: Date | null;
  finished_at: Date | null;
}

export interface ImportProblem {
  readonly count: number;
  readonly example: { readonly row: number; readonly externalProductId?: string; readonly reason: string };
}

export interface ImportProductsTable {
  import_id: string;
  external_product_id: string;
}

export interface StoreRequestHeadersTable {
  store_id: string;
  sealed: Buffer;
  expires_at: Date | null;
  created_at: Date;
}

export interface ShopifyConnectionsTable {
  store_id: string;
  merchant_id: string;
  shop: string;
  access_token: Buffer;
  token_until: Date | null;
  client_id: string | null;
  client_secret: Buffer | null;
  former_secret: Buffer | null;
  former_secret_until: Date | null;
  connected_at: Date;
  storefront: string;
  problem: JSONColumnType<ConnectionProblem | null, string | null, string | null>;
  reading_from: string | null;
  reading_since: Date | null;
  products_read: Generated<number>;
  reading_way: 'pages' | 'bulk' | null;
  products_counted: number | null;
  bulk_operation: string | null;
  bulk_collected: Generated<number>;
  bulk_failures: Generated<number>;
  read_at: Date | null;
  certificates_from: string | null;
  told_at: Date | null;
}

export interface ConnectionProblem {
  readonly code: string;
  readonly detail: string;
  /** RFC 3339. */
  readonly since: string;
}

export interface ShopifyProductsTable {
  store_id: string;
  /** bigint, as text. */
  shopify_id: string;
  seen_at: Date | null;
  due_at: Date | null;
  said: Buffer | null;
  digest: string | null;
  published_at: Date | null;
  failure: JSONColumnType<ConnectionProblem | null, string | null, string | null>;
}

export interface SigningKeysTable {
  kid: string;
  purpose: Generated<'proofs' | 'requests'>;
  /** RSA of proofs, Ed25519 of requests. */
  public_jwk: JSONColumnType<Record<string, string>, string, string>;
  private_key: Buffer | null;
  created_at: Generated<Date>;
  published_at: Generated<Date>;
  active_from: Date | null;
  retired_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  mac: Buffer | null;
}

export type ProofKind = 'product' | 'asset' | 'image';

export interface ProofsTable {
  id: Generated<string>;
  kind: ProofKind;
  subject_id: string;
  snapshot_hash: Buffer;
  generation: number;
  kid: string;
  header: string;
  payload: string;
  snapshot: JSONColumnType<ProductSnapshot, string, string>;
  issued_at: Date;
  expires_at: Date;
  signature: string | null;
  created_at: Generated<Date>;
}

export interface ObservationsTable {
  id: string;
  /** Keyed hash. */
  url_key: string;
  fetched_at: Date;
  failed: boolean;
  /** JSON, encrypted. */
  observation: Buffer;
  /** Of the text of the reading. */
  reading: Buffer | null;
}

export interface PageTextsTable {
  digest: Buffer;
  body: Buffer;
  keep_until: Date;
}

export interface FetchLeasesTable {
  url_key: string;
  holder: string;
  begun_at: Date;
  expires_at: Date;
}

export interface PageChecksTable {
  id: string;
  /** JSON, encrypted. */
  report: Buffer;
  /** Of the text of the facts. */
  facts: Buffer | null;
  bytes: Generated<number>;
  created_at: Generated<Date>;
}

export interface RateWindowsTable {
  bucket: string;
  hits: Date[];
  seen_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  name: Buffer;
  request_hash: Buffer;
  status: number | null;
  response: Buffer | null;
  created_at: Generated<Date>;
}

export interface WebhooksTable {
  id: string;
  merchant_id: string;
  /** Encrypted. */
  url: Buffer;
  /** Keyed hash of its host; null: not yet known. */
  host_key: string | null;
  description: Generated<string>;
  events: string[];
  paused: 'asked' | 'failing' | 'gone' | null;
  paused_at: Date | null;
  secret: Buffer;
  former_secret: Buffer | null;
  former_until: Date | null;
  failing_since: Date | null;
  delivered_at: Date | null;
  created_at: Date;
}

export interface EventsTable {
  id: Generated<string>;
  type: string;
  merchant_id: string;
  store_id: string | null;
  subject: Generated<string>;
  detail: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  count: number | null;
  items: JSONColumnType<unknown[], string | undefined, string>;
  occurred_at: Date;
  gathering: Generated<boolean>;
  opened_at: Generated<Date>;
  added_at: Generated<Date>;
}

export interface WebhookDeliveriesTable {
  id: Generated<string>;
  /** bigint, as text. */
  nth: Generated<string>;
  webhook_id: string;
  event_id: string;
  state: Generated<'pending' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  attempted_at: Date | null;
  milliseconds: number | null;
  response_status: number | null;
  code: string | null;
  detail: Generated<string>;
  created_at: Generated<Date>;
}

export interface CopyDomainsTable {
  store_id: string;
  domain: string;
  first_at: Date;
  last_at: Date;
  times: number;
  dropped: Generated<number>;
}

export interface CopiesTable {
  product_id: string;
  host: string;
  domain: string;
  store_id: string;
  url: string;
  first_at: Date;
  last_at: Date;
  times: Generated<number>;
}
