import { getHealth, getMetrics, getReadiness } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import { implement, ok } from '../http/implement.ts';
import type { Route } from '../http/route.ts';

/** Media type of the Prometheus text format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface HealthUseCases {
  /** Why the service is not ready; empty: it is ready. */
  readonly problems: () => Promise<readonly string[]>;
  /** What the operator must look at, though the service is ready. */
  readonly findings: () => readonly string[];
  /** Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
}

/** Health, readiness and metrics, for load balancers, supervisors and Prometheus. */
export function healthRoutes(use: HealthUseCases): Route[] {
  return [
    implement(getHealth, async () => ok({ status: 'alive' })),
    implement(getReadiness, async () => {
      const problems = await use.problems();
      if (problems.length > 0) {
        throw new ServiceError('not_ready', { message: `Not ready: ${problems.join('; ')}.` });
      }
      // what they say is for the operator only: in the log, and in the overview of nodes
      const findings = use.findings().length;
      return ok({ status: 'ready', ...(findings === 0 ? {} : { findings }) });
    }),
    implement(getMetrics, async () => {
      const body = await use.renderMetrics();
      return { status: 200, headers: { 'content-type': METRICS_TYPE }, body };
    }),
  ];
}
