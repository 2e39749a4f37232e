import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestRecord } from './http/http-server.ts';

/** What a node counts about itself, in a registry of its own; nothing here names a merchant, page or caller. */
export interface Metrics {
  onRequest(record: RequestRecord): void;
  onSignature(): void;
  onQuery(): void;
  onCertificateAnswer(from: 'memory' | 'database'): void;
  onFetch(outcome: string): void;
  watchPool(pool: pg.Pool): void;
  /** Prometheus text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Seconds; a warm GET takes well under a millisecond, a page check up to ten seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'touchstone_http_request_duration_seconds',
    help: 'Requests by operation, method and status.',
    labelNames: ['operation', 'method', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const counter = (name: string, help: string) =>
    new Counter({ name: `touchstone_${name}`, help, registers });
  const signatures = counter('signatures_total', 'Proofs signed by this node.');
  const queries = counter('database_queries_total', 'Statements sent to the database.');
  const answers = new Counter({
    name: 'touchstone_certificate_answers_total',
    help: 'Certificates answered, from memory or from the database.',
    labelNames: ['from'] as const,
    registers,
  });
  const fetches = new Counter({
    name: 'touchstone_page_fetches_total',
    help: 'Page fetches over the network, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  return {
    onRequest: ({ operation, method, status, seconds }) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    onSignature: () => signatures.inc(),
    onQuery: () => queries.inc(),
    onCertificateAnswer: (from) => answers.inc({ from }),
    onFetch: (outcome) => fetches.inc({ outcome }),
    watchPool: (pool) => void watchPool(pool, registers),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function watchPool(pool: pg.Pool, registers: Registry[]): Gauge {
  return new Gauge({
    name: 'touchstone_database_connections',
    help: 'Connections of the pool by state; waiting: requests for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
