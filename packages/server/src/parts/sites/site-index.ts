import { createLookalikes, type Lookalikes, registeredDomain } from '@touchstone/lookalikes';
import { sql } from 'kysely';
import type { NodeContext } from '../../core/node-context.ts';
import type { Change } from '../../platform/cache/changes.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import { eventLoopTurns } from '../../platform/event-loop-turns.ts';

/** A host whose control is proven. */
export interface ProvenSite {
  readonly host: string;
  readonly merchantId: string;
  readonly provenAt: Date;
  /** Whether it may be named to others than its merchant. */
  readonly isNamed: boolean;
}

/** A proven host that another one resembles. */
export interface Resembled extends ProvenSite {
  readonly kinds: ReturnType<Lookalikes['find']>[number]['kinds'];
}

export type SiteIndexContext = Pick<NodeContext, 'db' | 'secrets' | 'caching' | 'listener'>;

/** Milliseconds to wait for the proof that changes are received. */
const PATIENCE = 1_000;
/** Loads in succession after which what changes meanwhile is left to the next question. */
const MOST_LOADS = 3;

interface Content {
  readonly byHost: Map<string, ProvenSite>;
  readonly ofMerchant: Map<string, Set<string>>;
  /** By registered domain, the merchants that have a host there, with the number of those hosts. */
  readonly owners: Map<string, Map<string, number>>;
  readonly lookalikes: Lookalikes;
}

const empty = (): Content => ({
  byHost: new Map(),
  ofMerchant: new Map(),
  owners: new Map(),
  lookalikes: createLookalikes(),
});

/**
 * All proven hosts, in the memory of this node. What announced changes concern is read again before the
 * next answer, so that it is as current as any cache (docs/adr/07-freshness-of-memory.md). Only rows count that the service has written.
 */
export class SiteIndex {
  readonly #context: SiteIndexContext;
  #content = empty();
  #isAllStale = true;
  readonly #staleHosts = new Set<string>();
  readonly #staleMerchants = new Set<string>();
  #loading: Promise<void> | undefined;

  constructor(context: SiteIndexContext) {
    this.#context = context;
    context.caching.hub.subscribe((change) => this.#onChange(change));
  }

  /** Whether it can be asked at once. */
  get isCurrent(): boolean {
    return !this.#isStale() && this.#context.caching.freshness.isProven();
  }

  /** Resolves when it can be asked. Rejects if changes are not received, or the database does not answer. */
  async whenCurrent(): Promise<void> {
    await this.#context.listener.whenProven(AbortSignal.timeout(PATIENCE));
    for (let loads = 0; loads < MOST_LOADS && this.#isStale(); loads += 1) {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  get(host: string): ProvenSite | undefined {
    return this.#content.byHost.get(host);
  }

  /** The proven hosts that this one resembles, without those of merchants that have a host on its own domain. */
  resembledBy(host: string): Resembled[] {
    const { byHost, owners, lookalikes } = this.#content;
    const own = owners.get(registeredDomain(host) ?? '');
    return lookalikes.find(host).flatMap(({ host: name, kinds }) => {
      const site = byHost.get(name);
      return site === undefined || own?.has(site.merchantId) ? [] : [{ ...site, kinds }];
    });
  }

  #isStale(): boolean {
    return this.#isAllStale || this.#staleHosts.size > 0 || this.#staleMerchants.size > 0;
  }

  #onChange(change: Change): void {
    if (change === '*' || change === 'heard' || change === 'unheard') this.#isAllStale = true;
    else if (change.startsWith('h:')) this.#staleHosts.add(change.slice(2));
    else if (change.startsWith('m:')) this.#staleMerchants.add(change.slice(2));
  }

  async #load(): Promise<void> {
    const isAll = this.#isAllStale;
    const hosts = [...this.#staleHosts];
    const merchants = [...this.#staleMerchants];
    // what changes from now on is stale again
    this.#isAllStale = false;
    this.#staleHosts.clear();
    this.#staleMerchants.clear();
    try {
      const found = await this.#read(isAll ? undefined : { hosts, merchants });
      const content = isAll ? empty() : this.#content;
      if (!isAll) forget(content, hosts, merchants);
      const turn = eventLoopTurns();
      for (const site of found) {
        remember(content, site);
        // all hosts of the service; a change concerns few of them, which are there at once
        if (isAll) await turn();
      }
      this.#content = content;
    } catch (error) {
      if (isAll) this.#isAllStale = true;
      for (const host of hosts) this.#staleHosts.add(host);
      for (const merchant of merchants) this.#staleMerchants.add(merchant);
      throw error;
    }
  }

  async #read(
    some: { readonly hosts: readonly string[]; readonly merchants: readonly string[] } | undefined,
  ): Promise<ProvenSite[]> {
    const { db, secrets } = this.#context;
    const concerned =
      some === undefined
        ? sql``
        : sql`where (o.hostname = any(${some.hosts}::text[]) or o.merchant_id = any(${some.merchants}::uuid[]))`;
    const { rows } = await sql<{ owner: OwnerRow; is_named: boolean }>`
      select ${ownerRow('o')} as owner, x.merchant_id is null as is_named
      from hostname_owners o left join site_opt_outs x on x.merchant_id = o.merchant_id ${concerned}`.execute(
      db,
    );
    return rows.flatMap(({ owner: row, is_named: isNamed }) => {
      const owner = ownerOf(secrets.rows, row);
      if (owner === null) return [];
      return [{ host: owner.hostname, merchantId: owner.merchant_id, provenAt: owner.proven_at, isNamed }];
    });
  }
}

function remember({ byHost, ofMerchant, owners, lookalikes }: Content, site: ProvenSite): void {
  const { host, merchantId } = site;
  if (byHost.has(host)) return;
  byHost.set(host, site);
  ofMerchant.set(merchantId, (ofMerchant.get(merchantId) ?? new Set()).add(host));
  const domain = registeredDomain(host) ?? host;
  const ofDomain = owners.get(domain) ?? new Map<string, number>();
  owners.set(domain, ofDomain.set(merchantId, (ofDomain.get(merchantId) ?? 0) + 1));
  lookalikes.add(host);
}

function forget(content: Content, hosts: readonly string[], merchants: readonly string[]): void {
  const { byHost, ofMerchant, owners, lookalikes } = content;
  const ofThem = merchants.flatMap((merchant) => [...(ofMerchant.get(merchant) ?? [])]);
  for (const host of new Set([...hosts, ...ofThem])) {
    const site = byHost.get(host);
    if (site === undefined) continue;
    const { merchantId } = site;
    byHost.delete(host);
    ofMerchant.get(merchantId)?.delete(host);
    if (ofMerchant.get(merchantId)?.size === 0) ofMerchant.delete(merchantId);
    const domain = registeredDomain(host) ?? host;
    const left = (owners.get(domain)?.get(merchantId) ?? 1) - 1;
    if (left > 0) owners.get(domain)?.set(merchantId, left);
    else owners.get(domain)?.delete(merchantId);
    if (owners.get(domain)?.size === 0) owners.delete(domain);
    lookalikes.delete(host);
  }
}
