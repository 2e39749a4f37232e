import { ServiceError } from '../errors.ts';
import { type Operation, operation } from '../http/operation.ts';

export interface HealthUseCases {
  /** What keeps the service from serving; empty: ready. */
  readonly troubles: () => Promise<readonly string[]>;
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

const common = { method: 'GET', tag: 'Operations', access: 'public' } as const;
const NO_STORE = { 'cache-control': 'no-store' };

/** What balancers, supervisors and Prometheus ask. */
export function healthRows(use: HealthUseCases): Operation[] {
  return [
    operation({
      ...common,
      id: 'getHealth',
      path: '/healthz',
      summary: 'Is the process alive?',
      responses: { 200: { description: 'It is.', mediaType: 'application/json' } },
      errors: [],
      handle: async () => ({ status: 200, headers: NO_STORE, body: { status: 'alive' } }),
    }),
    operation({
      ...common,
      id: 'getReadiness',
      path: '/readyz',
      summary: 'Can the service serve?',
      description: `Ready: the database answers, changes made on other nodes are heard, keys are at hand, and the clock is
within 30 seconds of the database's.`,
      responses: { 200: { description: 'It can.', mediaType: 'application/json' } },
      errors: ['not_ready'],
      handle: async () => {
        const troubles = await use.troubles();
        if (troubles.length > 0) {
          throw new ServiceError('not_ready', { message: `Not ready: ${troubles.join('; ')}.` });
        }
        return { status: 200, headers: NO_STORE, body: { status: 'ready' } };
      },
    }),
    operation({
      ...common,
      id: 'getMetrics',
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      responses: { 200: { description: 'Prometheus text format.', mediaType: 'text/plain' } },
      errors: [],
      handle: async () => {
        const { contentType, text } = await use.renderMetrics();
        return { status: 200, headers: { ...NO_STORE, 'content-type': contentType }, body: text };
      },
    }),
  ];
}
