import { hostOf } from '@touchstone/certificate/binding';
import { type FetchBudgets, spendFetch } from '../../../platform/limits/fetch-budgets.ts';
import type { Registry } from '../context.ts';
import { type DomainProofPorts, TXT_PREFIX } from './find-proof.ts';

/** Network access for domain proofs that callers ask for, and its budgets: those of page checks. */
export interface LimitedProofs {
  readonly ports: DomainProofPorts;
  readonly budgets: FetchBudgets;
}

/**
 * Network access of one call: every request first spends from the budgets of the caller, of the host and in total. A name
 * server that is asked for a TXT record counts as the host that the record is of.
 *
 * Throws `fetch_budget_spent`.
 */
export function limitedPorts(
  registry: Registry,
  { ports, budgets }: LimitedProofs,
  caller: string,
): DomainProofPorts {
  const spend = (host: string) => spendFetch(registry, { caller, host }, budgets);
  return {
    async fetchText(url, signal) {
      await spend(hostOf(url) ?? '');
      return ports.fetchText(url, signal);
    },
    async resolveTxt(name, signal) {
      await spend(name.slice(TXT_PREFIX.length));
      return ports.resolveTxt(name, signal);
    },
  };
}
