import { hostOf } from '@touchstone/certificate/binding';
import { RATE_WINDOW, SITE_QUESTIONS_PER_MINUTE, type Site } from '@touchstone/contract';
import { hostForms } from '@touchstone/lookalikes';
import type { NodeContext } from '../../core/node-context.ts';
import type { CheckSite, KnownSites, ResembledSite } from '../../core/page-checks/known-sites.ts';
import { countCertificates } from '../../core/page-checks/uncertified-page.ts';
import { isDatabaseFault } from '../../platform/database/database-fault.ts';
import { spendBudgets } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import { callerBudgets, secondsUntil } from '../../platform/limits/fetch-budgets.ts';
import { type ProvenSite, type Resembled, SiteIndex, type SiteIndexContext } from './site-index.ts';

export type KnownSitesContext = SiteIndexContext & Pick<NodeContext, 'clock'>;

/** Hosts that are named as resembled. */
const MOST_RESEMBLED = 5;

/** Answers what is known of hosts, from the proven hosts in memory. */
export class ProvenSites implements KnownSites {
  readonly #context: KnownSitesContext;
  readonly #index: SiteIndex;

  constructor(context: KnownSitesContext) {
    this.#context = context;
    this.#index = new SiteIndex(context);
  }

  /** Reads the proven hosts before somebody asks. */
  async open(): Promise<void> {
    await this.#index.whenCurrent().catch(() => {});
  }

  resembledBy(host: string): readonly ResembledSite[] | Promise<readonly ResembledSite[]> {
    if (this.#index.isCurrent) return this.#resembledBy(host);
    // a check does not fail for what it tells besides
    return this.#index.whenCurrent().then(
      () => this.#resembledBy(host),
      () => [],
    );
  }

  readonly checkSite: CheckSite = async ({ url, caller, viewer }) => {
    const { db, secrets } = this.#context;
    const budgets = callerBudgets(this.#context, 'sites', caller, SITE_QUESTIONS_PER_MINUTE);
    const spent = await spendBudgets(db, budgets, RATE_WINDOW);
    if (spent !== null) throw new ServiceError('site_budget_spent', { retryAfter: secondsUntil(spent) });
    await this.#index.whenCurrent().catch((cause: unknown) => {
      throw isDatabaseFault(cause) ? cause : new ServiceError('database_unavailable', { cause });
    });
    const host = hostOf(url) ?? '';
    const mayBeTold = ({ isNamed, merchantId }: ProvenSite) => isNamed || merchantId === viewer;
    const site = this.#index.get(host);
    // the same work for all of whom nothing is to be known
    if (site === undefined || !mayBeTold(site))
      return nothingKnown(host, this.#index.resembledBy(host).filter(mayBeTold));
    return proven(site, (await countCertificates(db, secrets.rows, host)).certificates > 0);
  };

  #resembledBy(host: string): ResembledSite[] {
    // of a proven host that is not to be named, the same is told as of others
    if (this.#index.get(host)?.isNamed === true) return [];
    return this.#index.resembledBy(host).map(({ host: name, merchantId, isNamed, kinds, ...site }) => ({
      host: name,
      merchantId,
      isNamed,
      provenSince: monthOf(site),
      resemblance: [...kinds],
    }));
  }
}

function proven(site: ProvenSite, publishesCertificates: boolean): Site {
  const { host } = site;
  const publishes = publishesCertificates ? 'It publishes certificates.' : 'It publishes no certificates.';
  return {
    ...formsOf(host),
    status: 'proven',
    statement: `The control of ${host} was proven by its owner in ${monthInWords(site)}. ${publishes}`,
    provenSince: monthOf(site),
    publishesCertificates,
  };
}

function nothingKnown(host: string, found: readonly Resembled[]): Site {
  const resembles = found.slice(0, MOST_RESEMBLED).map((site) => ({
    host: site.host,
    provenSince: monthOf(site),
    kinds: [...site.kinds],
    statement: `Resembles ${site.host}, which was proven by its owner in ${monthInWords(site)}, and is none of its proven hosts.`,
  }));
  const [first] = resembles;
  return {
    ...formsOf(host),
    status: 'nothing_known',
    statement: `Nothing is known of ${host}.${first === undefined ? '' : ` ${first.statement}`}`,
    ...(first === undefined ? {} : { resembles }),
  };
}

function formsOf(host: string): Pick<Site, 'host' | 'unicode'> {
  const unicode = hostForms(host)?.unicode ?? host;
  return unicode === host ? { host } : { host, unicode };
}

const monthOf = ({ provenAt }: Pick<ProvenSite, 'provenAt'>) => provenAt.toISOString().slice(0, 7);

function monthInWords({ provenAt }: ProvenSite): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(provenAt);
}
