/** Tables that lie in one place, however many databases hold those of merchants, and why. All others lie with their merchant. */
export const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  api_keys: 'a caller is known by its key alone, and operators have keys',
  change_slots: 'all nodes hear of the changes of all merchants',
  change_ways: 'of the service itself',
  changes: 'all nodes hear of the changes of all merchants',
  console_sessions: 'a browser is known by its cookie alone',
  control_contests: 'about a hostname, between several merchants',
  directory: 'whose something is that is known by its id alone',
  fetch_leases: 'by address: all merchants share a fetch',
  hostname_owners: 'a hostname has one owner among all merchants',
  idempotency_keys: 'by a keyed hash of the caller',
  image_counts: 'sums of jobs, kept with them',
  image_tokens: 'a token belongs to one image among those of all merchants',
  jobs: 'nodes take the next job of all merchants in turn',
  locks: 'of the service itself',
  nodes: 'of the service itself',
  observations: 'by address: whoever asks for a page shares them',
  page_checks: 'anyone may ask for a page check',
  page_texts: 'by what pages say: kept once for all',
  rate_windows: 'limits and budgets of the whole service',
  schema_migrations: 'of the service itself',
  shopify_shops: 'a shop is connected to one store among those of all merchants',
  signing_keys: 'of the service itself',
  status_changes: 'one publisher reads those of all merchants',
  status_list_tokens: 'a list has entries of all merchants',
  status_list_allocations: 'a list has entries of all merchants',
  status_publisher: 'of the service itself',
};

/** The column by which the table of a merchant is placed. */
export const placingColumn = (table: string) => (table === 'merchants' ? 'id' : 'merchant_id');
