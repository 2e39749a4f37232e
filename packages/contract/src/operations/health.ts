import { defineOperation } from '../operation.ts';

const common = { method: 'GET', tag: 'Operations', access: 'public', noStore: true, anyQuery: true } as const;

export const getHealth = defineOperation({
  ...common,
  id: 'getHealth',
  path: '/healthz',
  summary: 'Liveness',
  replies: { 200: { description: 'The process is running.', mediaType: 'application/json' } },
  errors: [],
});

export const getReadiness = defineOperation({
  ...common,
  id: 'getReadiness',
  path: '/readyz',
  summary: 'Readiness',
  description: `The node is ready if the database answers, changes made on other nodes are received, keys are available, and the
clock is within 30 seconds of the database's. The member \`findings\` counts what the operator must look at though it is ready; the operator's overview names it.`,
  replies: { 200: { description: 'The node is ready.', mediaType: 'application/json' } },
  errors: ['not_ready'],
});

export const getMetrics = defineOperation({
  ...common,
  id: 'getMetrics',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  replies: { 200: { description: 'Prometheus text format.', mediaType: 'text/plain' } },
  errors: [],
});
