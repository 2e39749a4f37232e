// Generated from the schemas by `npm run docs`; do not edit. What tables and columns mean is said in the schema.sql of each folder.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export type Platform = 'shopify' | 'woocommerce' | 'custom';

export type DomainProofMethod = 'well_known' | 'meta_tag' | 'dns_txt';

export type ChangeKind =
  | 'capacity'
  | 'store_deletion'
  | 'domain'
  | 'image_signing'
  | 'hide'
  | 'show'
  | 'delete'
  | 'restore';

export type ProofKind = 'product' | 'asset' | 'image';

/** All tables, as kysely sees them. */
export interface Tables {
  api_keys: ApiKeysTable;
  certificate_due: CertificateDueTable;
  certificate_lines: CertificateLinesTable;
  certificate_stores: CertificateStoresTable;
  change_slots: ChangeSlotsTable;
  change_ways: ChangeWaysTable;
  changes: ChangesTable;
  console_sessions: ConsoleSessionsTable;
  control_checks: ControlChecksTable;
  control_contests: ControlContestsTable;
  copies: CopiesTable;
  copy_domains: CopyDomainsTable;
  copy_hosts: CopyHostsTable;
  directory: DirectoryTable;
  domains: DomainsTable;
  events: EventsTable;
  evidence: EvidenceTable;
  fetch_leases: FetchLeasesTable;
  host_statements: HostStatementsTable;
  hostname_owners: HostnameOwnersTable;
  idempotency_keys: IdempotencyKeysTable;
  image_certifications: ImageCertificationsTable;
  image_counts: ImageCountsTable;
  image_tokens: ImageTokensTable;
  images: ImagesTable;
  import_products: ImportProductsTable;
  imports: ImportsTable;
  jobs: JobsTable;
  locks: LocksTable;
  log_domain_runs: LogDomainRunsTable;
  log_hidden_domains: LogHiddenDomainsTable;
  log_leaves: LogLeavesTable;
  log_shards: LogShardsTable;
  log_witnesses: LogWitnessesTable;
  merchants: MerchantsTable;
  nodes: NodesTable;
  observations: ObservationsTable;
  page_checks: PageChecksTable;
  page_texts: PageTextsTable;
  picture_codes: PictureCodesTable;
  picture_readings: PictureReadingsTable;
  picture_settings: PictureSettingsTable;
  product_counts: ProductCountsTable;
  products: ProductsTable;
  proofs: ProofsTable;
  published_certificates: PublishedCertificatesTable;
  published_documents: PublishedDocumentsTable;
  published_visits: PublishedVisitsTable;
  rate_windows: RateWindowsTable;
  registry_change_products: RegistryChangeProductsTable;
  registry_changes: RegistryChangesTable;
  shopify_connections: ShopifyConnectionsTable;
  shopify_products: ShopifyProductsTable;
  shopify_shops: ShopifyShopsTable;
  signing_keys: SigningKeysTable;
  site_opt_outs: SiteOptOutsTable;
  status_changes: StatusChangesTable;
  status_list_allocations: StatusListAllocationsTable;
  status_list_tokens: StatusListTokensTable;
  status_publisher: StatusPublisherTable;
  store_days: StoreDaysTable;
  store_request_headers: StoreRequestHeadersTable;
  store_sources: StoreSourcesTable;
  stores: StoresTable;
  sweep_counts: SweepCountsTable;
  sweep_pages: SweepPagesTable;
  sweep_stores: SweepStoresTable;
  text_sketches: TextSketchesTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhooks: WebhooksTable;
  withdrawals: WithdrawalsTable;
}

export interface ApiKeysTable {
  id: string;
  merchant_id: string | null;
  role: 'operator' | 'merchant';
  label: Generated<string>;
  key_hash: Buffer;
  created_at: Generated<Date>;
  last_used_on: ColumnType<Date, string, string> | null;
  revoked_at: Date | null;
  mac: Buffer | null;
}

export interface CertificateDueTable {
  merchant_id: string;
  product_id: string;
  store_id: string;
  due_at: Date;
  taken: string | null;
  taken_at: Date | null;
  taken_by: string | null;
  failure: JSONColumnType<ColumnTypes['certificate_due.failure'] | null, string | null, string | null>;
}

export interface CertificateLinesTable {
  merchant_id: string;
  product_id: string;
  store_id: string;
  position: string;
  proof_id: string | null;
  kid: string | null;
  renew_at: Date | null;
}

export interface CertificateStoresTable {
  merchant_id: string;
  store_id: string;
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
  issued: Generated<string>;
  renewed: Generated<string>;
  withdrawn: Generated<string>;
}

export interface ChangeSlotsTable {
  slot: GeneratedAlways<number>;
  number: Generated<string>;
}

export interface ChangeWaysTable {
  way: 'listen' | 'poll';
}

export interface ChangesTable {
  slot: number;
  number: string;
  payloads: string[];
  created_at: Generated<Date>;
}

export interface ConsoleSessionsTable {
  token_hash: Buffer;
  key_id: string;
  begun_at: Date;
  seen_at: Date;
  mac: Buffer | null;
}

export interface ControlChecksTable {
  merchant_id: string;
  id: GeneratedAlways<string>;
  hostname: string;
  checked_at: Date;
  reason: 'requested' | 'scheduled' | 'contested';
  outcome: 'found' | 'missed' | 'undecided';
  method: DomainProofMethod | null;
  saw: JSONColumnType<ColumnTypes['control_checks.saw'] | null, string | null, string | null>;
}

export interface ControlContestsTable {
  hostname: string;
  store_id: string;
  begun_at: Date;
  check_at: Date;
}

export interface CopiesTable {
  merchant_id: string;
  product_id: string;
  host: string;
  domain: string;
  store_id: string;
  url: string;
  first_at: Date;
  last_at: Date;
  times: Generated<number>;
}

export interface CopyDomainsTable {
  merchant_id: string;
  store_id: string;
  domain: string;
  first_at: Date;
  last_at: Date;
  times: number;
  dropped: Generated<number>;
}

export interface CopyHostsTable {
  merchant_id: string;
  store_id: string;
  host: string;
  domain: string;
  url: string;
  found: JSONColumnType<ColumnTypes['copy_hosts.found'], string, string>;
  state: 'new' | 'mine' | 'allowed' | 'reported' | 'gone';
  confirmed: string | null;
  first_at: Date;
  last_at: Date;
  check_at: Date | null;
  checked_at: Date | null;
  missed: Generated<number>;
}

export interface DirectoryTable {
  id: string;
  merchant_id: string;
}

export interface DomainsTable {
  merchant_id: string;
  store_id: string;
  hostname: string;
  created_at: Generated<Date>;
  lost_at: Date | null;
}

export interface EventsTable {
  merchant_id: string;
  id: Generated<string>;
  type: string;
  store_id: string | null;
  subject: Generated<string>;
  detail: JSONColumnType<ColumnTypes['events.detail'], string | undefined, string>;
  count: number | null;
  items: JSONColumnType<ColumnTypes['events.items'], string | undefined, string>;
  occurred_at: Date;
  gathering: Generated<boolean>;
  opened_at: Generated<Date>;
  added_at: Generated<Date>;
}

export interface EvidenceTable {
  merchant_id: string;
  id: string;
  about: Buffer;
  bytes: number;
  created_at: Date;
  expires_at: Date;
}

export interface FetchLeasesTable {
  url_key: string;
  holder: string;
  begun_at: Date;
  expires_at: Date;
}

export interface HostStatementsTable {
  merchant_id: string;
  host: string;
  about: string;
  says: string;
  stated_at: Date;
}

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

export interface IdempotencyKeysTable {
  name: Buffer;
  request_hash: Buffer;
  status: number | null;
  response: Buffer | null;
  created_at: Generated<Date>;
}

export interface ImageCertificationsTable {
  merchant_id: string;
  image_id: string;
  source_uhash: string;
  blob_key: string;
  signed_by_us: boolean;
  certified_at: Date;
  first_certified_at: Date;
  signed_until: Date | null;
}

export interface ImageCountsTable {
  store_id: string;
  at: Date;
  total: number;
  done: number;
  failed: number;
  waiting: number;
  retrying: number;
  certified: number;
  signed_by_us: number;
  not_served: number;
  no_image: number;
  finished: number;
}

export interface ImageTokensTable {
  chain_id: string;
  contract: string;
  token_id: string;
  image_id: string;
  merchant_id: string;
}

export interface ImagesTable {
  merchant_id: string;
  id: string;
  product_id: string;
  url: string;
  host: Generated<string>;
  external_id: string | null;
  position: number;
  removed_at: Date | null;
  created_at: Generated<Date>;
  scanned_at: Date | null;
  etag: string | null;
  last_modified: string | null;
  source_uhash: string | null;
  version: Generated<number>;
  media_type: string | null;
  width: number | null;
  height: number | null;
  upload_date: Date | null;
  given_up: Generated<boolean>;
  credentials: JSONColumnType<ColumnTypes['images.credentials'] | null, string | null, string | null>;
  trust: JSONColumnType<ColumnTypes['images.trust'] | null, string | null, string | null>;
  trust_list: string | null;
  manifest_failures: JSONColumnType<
    ColumnTypes['images.manifest_failures'] | null,
    string | null,
    string | null
  >;
  blob_key: string | null;
  signed_by_us: Generated<boolean>;
  nft: JSONColumnType<ColumnTypes['images.nft'] | null, string | null, string | null>;
  frame_code: string | null;
  appearance: string | null;
}

export interface ImportProductsTable {
  merchant_id: string;
  import_id: string;
  external_product_id: string;
}

export interface ImportsTable {
  merchant_id: string;
  id: string;
  store_id: string;
  url: Buffer;
  kind: ColumnTypes['imports.kind'];
  prune: 'never' | 'cautious' | 'always';
  scheduled: boolean;
  state: Generated<'waiting' | 'running' | 'done' | 'failed'>;
  cursor: Buffer | null;
  total: number | null;
  created: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  revived: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  problems: JSONColumnType<ColumnTypes['imports.problems'], string | undefined, string>;
  missing: number | null;
  deleted: number | null;
  failure: JSONColumnType<ColumnTypes['imports.failure'] | null, string | null, string | null>;
  created_at: Date;
  begun_at: Date | null;
  finished_at: Date | null;
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
  displaced: Generated<boolean>;
  lease: string | null;
  leased_until: Date | null;
  result: 'done' | 'failed' | null;
  failure: JSONColumnType<ColumnTypes['jobs.failure'] | null, string | null, string | null>;
  finished_at: Date | null;
  traceparent: Generated<string | null>;
  live: Generated<boolean>;
  image_state: ColumnTypes['jobs.image_state'] | null;
  image_marks: Generated<number>;
}

export interface LocksTable {
  name: string;
}

export interface LogDomainRunsTable {
  suffix: string;
  seen_by: string;
  year: number;
  number: number;
  run: string;
}

export interface LogHiddenDomainsTable {
  merchant_id: string;
  hidden_at: Date;
}

export interface LogLeavesTable {
  proof: Buffer;
  year: number;
  number: number | null;
  index: string | null;
  merchant_id: string | null;
  subject_id: string | null;
  domain_key: string;
  leaf: string;
  entered_at: Generated<Date>;
}

export interface LogShardsTable {
  year: number;
  number: Generated<number>;
  origin: string;
  kid: string;
  opened_at: Date;
  assigned: Generated<string>;
  size: Generated<string>;
  root: Buffer | null;
  checkpoint: string | null;
  published_at: Date | null;
  partial_tiles: Generated<string[]>;
  witnessed: string | null;
  witnessed_size: Generated<string>;
  cosignatures: Generated<string>;
  restored_at: Date | null;
  refusal: string | null;
  ended_at: Date | null;
}

export interface LogWitnessesTable {
  year: number;
  number: number;
  name: string;
  size: Generated<string>;
  answer: string | null;
  asked_at: Date | null;
  cosigned_at: Date | null;
}

export interface MerchantsTable {
  id: string;
  name: string;
  plan_capacity: number;
  slots_held: Generated<number>;
  seats_unsettled: Generated<boolean>;
  product_limit: number | null;
  paused: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface NodesTable {
  id: string;
  version: string;
  processes: number;
  started_at: Date;
  seen_at: Date;
  problems: JSONColumnType<ColumnTypes['nodes.problems'], string, string>;
  findings: JSONColumnType<ColumnTypes['nodes.findings'], string | undefined, string>;
}

export interface ObservationsTable {
  id: string;
  url_key: string;
  fetched_at: Date;
  failed: boolean;
  observation: Buffer;
  reading: Buffer | null;
}

export interface PageChecksTable {
  id: string;
  report: Buffer;
  facts: Buffer | null;
  bytes: Generated<number>;
  created_at: Generated<Date>;
}

export interface PageTextsTable {
  digest: Buffer;
  body: Buffer;
  keep_until: Date;
}

export interface PictureCodesTable {
  merchant_id: string;
  image_id: string;
  source: string;
  frame_1: string | null;
  frame_2: string | null;
  frame_3: string | null;
  square_1: string | null;
  square_2: string | null;
  square_3: string | null;
}

export interface PictureReadingsTable {
  report_id: string;
  begun_at: Date;
  read_at: Date | null;
  pictures: Buffer | null;
}

export interface PictureSettingsTable {
  merchant_id: string;
  store_id: string;
  told: boolean;
  makers_pictures: boolean;
  makers_images: string[];
  allowed_hosts: string[];
}

export interface ProductCountsTable {
  merchant_id: string;
  store_id: string;
  products: number;
}

export interface ProductsTable {
  merchant_id: string;
  id: string;
  store_id: string;
  external_product_id: string;
  name: string;
  url: string;
  host: string;
  page_key: string | null;
  sku: string | null;
  gtin: string | null;
  brand: string | null;
  attributes: JSONColumnType<ColumnTypes['products.attributes'], string | undefined, string>;
  visible: Generated<boolean>;
  disabled: Generated<boolean>;
  deleted_at: Date | null;
  host_known: Generated<boolean>;
  created_order: Generated<string>;
  slot_order: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  withdrawn_at: Date | null;
  kept_hidden_since: Date | null;
  price: JSONColumnType<ColumnTypes['products.price'] | null, string | null, string | null>;
  priced_at: Date | null;
  availability: ColumnTypes['products.availability'] | null;
}

export interface ProofsTable {
  merchant_id: string;
  id: GeneratedAlways<string>;
  kind: ProofKind;
  subject_id: string;
  snapshot_hash: Buffer;
  generation: number;
  kid: string;
  header: string;
  payload: string;
  snapshot: JSONColumnType<ColumnTypes['proofs.snapshot'], string, string>;
  issued_at: Date;
  expires_at: Date;
  signature: string | null;
  created_at: Generated<Date>;
  status_list: number | null;
  status_index: number | null;
  log_proof: string | null;
}

export interface PublishedCertificatesTable {
  merchant_id: string;
  product_id: string;
  due_at: Date | null;
  orders: Generated<number>;
  etag: string | null;
  page: string | null;
  page_etag: string | null;
  failure: string | null;
}

export interface PublishedDocumentsTable {
  path: string;
}

export interface PublishedVisitsTable {
  merchant_id: string;
  visit_after: string | null;
  anew: Generated<boolean>;
}

export interface RateWindowsTable {
  bucket: string;
  hits: Generated<Date[]>;
  seen_at: Generated<Date>;
}

export interface RegistryChangeProductsTable {
  merchant_id: string;
  change_id: string;
  created_order: string;
  product_id: string;
}

export interface RegistryChangesTable {
  merchant_id: string;
  id: string;
  nth: GeneratedAlways<string>;
  kind: ChangeKind;
  store_id: string | null;
  hostname: string | null;
  filter: JSONColumnType<ColumnTypes['registry_changes.filter'] | null, string | null, string | null>;
  key_id: string | null;
  read_to: Generated<string | null>;
  up_to: string | null;
  done: Generated<number>;
  changed: Generated<number>;
  total: number | null;
  undoes: string | null;
  undone_by: string | null;
  remembers: Generated<boolean>;
  created_at: Date;
  finished_at: Date | null;
  withdraws: boolean | null;
  reason: string | null;
}

export interface ShopifyConnectionsTable {
  merchant_id: string;
  store_id: string;
  shop: string;
  access_token: Buffer;
  token_until: Date | null;
  client_id: string | null;
  client_secret: Buffer | null;
  former_secret: Buffer | null;
  former_secret_until: Date | null;
  connected_at: Date;
  storefront: string;
  problem: JSONColumnType<ColumnTypes['shopify_connections.problem'] | null, string | null, string | null>;
  reading_from: string | null;
  reading_since: Date | null;
  reading_way: 'pages' | 'bulk' | null;
  products_counted: number | null;
  products_read: Generated<number>;
  bulk_operation: string | null;
  bulk_collected: Generated<number>;
  bulk_failures: Generated<number>;
  read_at: Date | null;
  certificates_from: string | null;
  told_at: Date | null;
}

export interface ShopifyProductsTable {
  merchant_id: string;
  store_id: string;
  shopify_id: string;
  seen_at: Date | null;
  due_at: Date | null;
  said: Buffer | null;
  digest: string | null;
  published_at: Date | null;
  failure: JSONColumnType<ColumnTypes['shopify_products.failure'] | null, string | null, string | null>;
}

export interface ShopifyShopsTable {
  shop: string;
  store_id: string;
}

export interface SigningKeysTable {
  kid: string;
  purpose: Generated<string>;
  public_jwk: JSONColumnType<ColumnTypes['signing_keys.public_jwk'], string, string>;
  private_key: Buffer | null;
  created_at: Generated<Date>;
  published_at: Generated<Date>;
  active_from: Date | null;
  retired_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  mac: Buffer | null;
}

export interface SiteOptOutsTable {
  merchant_id: string;
  opted_out_at: Date;
}

export interface StatusChangesTable {
  id: GeneratedAlways<string>;
  merchant_id: string | null;
  product_ids: string[] | null;
  after: string | null;
  later: string | null;
  is_bulk: boolean;
  due_at: Generated<Date>;
  again: Generated<boolean>;
}

export interface StatusListAllocationsTable {
  id: number;
  base_url: string;
  opened_at: Date;
  closed_at: Date | null;
  taken: Generated<number>;
  order_key: Buffer;
}

export interface StatusListTokensTable {
  list_id: number;
  kid: string;
  issued_at: Date;
  header: string;
  payload: string;
  signature: Buffer;
  mac: Buffer;
  invalid: number;
  suspended: number;
}

export interface StatusPublisherTable {
  one: Generated<boolean>;
  published_at: Date | null;
  claim_required_from: Date | null;
  restored_at: Date | null;
  copied: Generated<boolean>;
  database: string | null;
}

export interface StoreDaysTable {
  merchant_id: string;
  store_id: string;
  day: ColumnType<Date, string, string>;
  certificates: number;
  issued: string;
  renewed: string;
  withdrawn: string;
  images_total: number;
  images_certified: number;
  images_failed: number;
  pages: JSONColumnType<ColumnTypes['store_days.pages'], string, string>;
}

export interface StoreRequestHeadersTable {
  merchant_id: string;
  store_id: string;
  sealed: Buffer;
  expires_at: Date | null;
  created_at: Date;
}

export interface StoreSourcesTable {
  merchant_id: string;
  store_id: string;
  url: Buffer;
  kind: ColumnTypes['store_sources.kind'];
  every_hours: number;
  prune: 'never' | 'cautious' | 'always';
  next_at: Date;
}

export interface StoresTable {
  merchant_id: string;
  id: string;
  name: string;
  url: string;
  platform: Generated<Platform>;
  sign_images: Generated<boolean>;
  sign_remote_manifests: Generated<boolean>;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  sign_prices: Generated<boolean>;
}

export interface SweepCountsTable {
  merchant_id: string;
  store_id: string;
  result: string;
  pages: number;
}

export interface SweepPagesTable {
  merchant_id: string;
  product_id: string;
  store_id: string;
  turn: Date;
  result: string | null;
  verdict: string | null;
  reason: Generated<string>;
  landing: string | null;
  report_id: string | null;
  carried: Generated<boolean>;
  expires_at: Date | null;
  expiring: Generated<boolean>;
  checked_at: Date | null;
  since: Date | null;
  unreachable_reported: Generated<boolean>;
  drift: JSONColumnType<ColumnTypes['sweep_pages.drift'], string | undefined, string>;
  drifted: Generated<boolean>;
}

export interface SweepStoresTable {
  merchant_id: string;
  store_id: string;
  visited_to: Generated<string>;
  due_before: Date | null;
  begun_at: Date | null;
  spent_on: ColumnType<Date, string, string> | null;
  spent: Generated<number>;
  checked_at: Date | null;
  copies_more: Generated<number>;
}

export interface TextSketchesTable {
  merchant_id: string;
  product_id: string;
  sketch: Buffer;
}

export interface WebhookDeliveriesTable {
  merchant_id: string;
  id: Generated<string>;
  nth: GeneratedAlways<string>;
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

export interface WebhooksTable {
  merchant_id: string;
  id: string;
  url: Buffer;
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

export interface WithdrawalsTable {
  merchant_id: string;
  id: GeneratedAlways<string>;
  store_id: string | null;
  product_id: string | null;
  kid: string | null;
  cause: 'by_hand' | 'deleted' | 'disabled' | 'host_lost' | 'key_revoked' | 'restored';
  reason: string | null;
  by_key: string | null;
  change_id: string | null;
  at: Date;
}
