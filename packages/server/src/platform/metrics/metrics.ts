import type pg from 'pg';
import { Counter, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import { countProcess } from './process-metrics.ts';
import { createRequestDurations, type RequestRecord } from './request-durations.ts';

/** What one process counted, as plain values. */
export type MetricsReport = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** What a node counts about itself, in a registry of its own; nothing here names a merchant, page or caller. */
export interface Metrics {
  onRequest(record: RequestRecord): void;
  onSignature(): void;
  onQuery(): void;
  onCertificateAnswer(from: 'memory' | 'database'): void;
  onFetch(outcome: string): void;
  /** A scan of an image ended: what it found, or the code of why it found nothing. */
  onImageScan(outcome: string): void;
  /** Products were looked at by what makes certificates before they are asked for. */
  onIssuedAhead(outcome: string, count: number): void;
  /** An attempt to deliver an event ended: `delivered`, or the code of why not. */
  onDelivery(outcome: string): void;
  /** @param counts - over all nodes, as last counted; `null`: not yet */
  watchWebhooks(counts: () => WebhookCounts | null): void;
  /** A page was checked by a sweep: what it came to. */
  onSweptPage(result: string): void;
  /** @param pages - by result, over all stores, as last counted; `null`: not yet */
  watchSweeps(pages: () => Readonly<Record<string, number>> | null): void;
  watchPool(pool: pg.Pool): void;
  watchImages(images: WatchedImages): void;
  watchRegistryChanges(changes: WatchedRegistryChanges): void;
  /** @param waiting - products over all nodes, as last counted; `null`: not yet */
  watchCertificates(waiting: () => number | null): void;
  /** Prometheus text format. */
  render(): Promise<string>;
  /** For adding up with those of other processes. */
  report(): Promise<MetricsReport>;
}

/** What is left to deliver, over all nodes. */
export interface WebhookCounts {
  /** Deliveries that wait for an attempt. */
  readonly pending: number;
  /** Webhooks that were paused because their endpoints fail. */
  readonly paused: number;
}

/** What is left to do with images, over all stores and nodes. */
export interface ImageCounts {
  /** Images that no scan has come to an end for yet, those under way and put off included. */
  readonly waiting: number;
  /** Images that were given up until they are scanned again. */
  readonly failed: number;
  /** Since when the first of those waiting could have been scanned; `null`: none waits. */
  readonly oldestWaiting: Date | null;
}

/** How far the images are; asked at every scrape, so it must be at hand. */
export interface WatchedImages {
  /** Under way at this node. */
  readonly underWay: () => number;
  /** Over all nodes, as last counted; `null`: not yet. */
  readonly left: () => ImageCounts | null;
  readonly clock: Clock;
}

/** Changes of the registry that products still follow. */
export interface WatchedRegistryChanges {
  /** Merchants whose changes run at this node. */
  readonly running: () => number;
  /** Over all nodes, as last counted; `null`: not yet. */
  readonly pending: () => {
    readonly count: number;
    /** Products that are not in line yet, as far as they were counted. */
    readonly products: number;
    /** When the first of them was asked for; `null`: none is pending. */
    readonly oldest: Date | null;
  } | null;
  readonly clock: Clock;
}

/** @param processName - the label `process` of every series, where the service has several processes */
export function createMetrics(processName?: string): Metrics {
  const registry = new Registry();
  if (processName !== undefined) registry.setDefaultLabels({ process: processName });
  const registers = [registry];
  countProcess(registry, { answers: true });
  const requests = createRequestDurations();
  registry.registerMetric(requests.metric);
  const counter = (name: string, help: string) =>
    new Counter({ name: `touchstone_${name}`, help, registers });
  const signatures = counter('signatures_total', 'Proofs signed by this node.');
  const queries = counter('database_queries_total', 'Statements sent to the database.');
  const answered = { memory: 0, database: 0 };
  new Counter({
    name: 'touchstone_certificate_answers_total',
    help: 'Certificates answered, from memory or from the database.',
    labelNames: ['from'] as const,
    registers,
    // counted apart, since adding to a counter with labels costs a warm GET more than counting
    collect() {
      for (const from of ['memory', 'database'] as const) {
        if (answered[from] > 0) this.inc({ from }, answered[from]);
        answered[from] = 0;
      }
    },
  });
  const fetches = new Counter({
    name: 'touchstone_page_fetches_total',
    help: 'Page fetches over the network, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const scans = new Counter({
    name: 'touchstone_image_looks_total',
    help: 'Scans of images by this node, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const ahead = new Counter({
    name: 'touchstone_certificates_ahead_total',
    help: 'Products whose certificate this node saw to before anyone asked: issued, withdrawn, unchanged or failed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  const swept = new Counter({
    name: 'touchstone_swept_pages_total',
    help: 'Pages that this node checked by itself, by result.',
    labelNames: ['result'] as const,
    registers,
  });
  const deliveries = new Counter({
    name: 'touchstone_webhook_attempts_total',
    help: 'Attempts of this node to deliver an event, by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  });
  return {
    onRequest: requests.onRequest,
    onSignature: () => signatures.inc(),
    onQuery: () => queries.inc(),
    onCertificateAnswer: (from) => {
      answered[from] += 1;
    },
    onFetch: (outcome) => fetches.inc({ outcome }),
    onImageScan: (outcome) => scans.inc({ outcome }),
    onIssuedAhead: (outcome, count) => ahead.inc({ outcome }, count),
    onSweptPage: (result) => swept.inc({ result }),
    watchSweeps: (pages) => watchSweeps(pages, registers),
    onDelivery: (outcome) => deliveries.inc({ outcome }),
    watchWebhooks: (counts) => watchWebhooks(counts, registers),
    watchPool: (pool) => void watchPool(pool, registers),
    watchImages: (images) => watchImages(images, registers),
    watchRegistryChanges: (changes) => watchRegistryChanges(changes, registers),
    watchCertificates: (waiting) => watchCertificates(waiting, registers),
    render: () => registry.metrics(),
    report: async () =>
      (await registry.getMetricsAsJSON()).map(({ name, help, type, aggregator, values }) => ({
        name,
        help,
        type,
        aggregator,
        values,
      })),
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

function watchCertificates(waiting: () => number | null, registers: Registry[]): void {
  new Gauge({
    name: 'touchstone_certificates_waiting',
    help: 'Products of all stores whose certificate is to be seen to; counted once a minute.',
    registers,
    collect() {
      const count = waiting();
      if (count !== null) this.set(count);
    },
  });
}

function watchSweeps(pages: () => Readonly<Record<string, number>> | null, registers: Registry[]): void {
  new Gauge({
    name: 'touchstone_pages',
    help: 'Pages of all stores by the result of their last check; counted once a minute.',
    labelNames: ['result'] as const,
    registers,
    collect() {
      for (const [result, count] of Object.entries(pages() ?? {})) this.set({ result }, count);
    },
  });
}

function watchWebhooks(counts: () => WebhookCounts | null, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (counts: WebhookCounts) => number) =>
    new Gauge({
      name: `touchstone_webhook${name}`,
      help: `${help}; counted once a minute.`,
      registers,
      collect() {
        const counted = counts();
        if (counted !== null) this.set(read(counted));
      },
    });
  gauge(
    '_deliveries_pending',
    'Deliveries of all webhooks that wait for an attempt',
    ({ pending }) => pending,
  );
  gauge('s_paused', 'Webhooks that were paused because their endpoints fail', ({ paused }) => paused);
}

function watchImages({ underWay, left, clock }: WatchedImages, registers: Registry[]): void {
  new Gauge({
    name: 'touchstone_images',
    help: 'Images of all stores that wait to be scanned, and those that were given up; counted once a minute.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const counts = left();
      if (counts === null) return;
      this.set({ state: 'waiting' }, counts.waiting);
      this.set({ state: 'failed' }, counts.failed);
    },
  });
  new Gauge({
    name: 'touchstone_image_oldest_waiting_seconds',
    help: 'How long the image has waited that has waited longest; 0: none waits.',
    registers,
    collect() {
      const oldest = left()?.oldestWaiting ?? clock();
      this.set(Math.max(0, (clock().getTime() - oldest.getTime()) / 1000));
    },
  });
  new Gauge({
    name: 'touchstone_images_under_way',
    help: 'Images that this node scans now.',
    registers,
    collect() {
      this.set(underWay());
    },
  });
}

function watchRegistryChanges(
  { running, pending, clock }: WatchedRegistryChanges,
  registers: Registry[],
): void {
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name: `touchstone_registry_${name}`,
      help,
      registers,
      collect() {
        const value = read();
        if (value !== undefined) this.set(value);
      },
    });
  const older = 'over all nodes, counted every 10 seconds.';
  gauge('changes_pending', `Changes that products still follow, ${older}`, () => pending()?.count);
  gauge(
    'change_products_waiting',
    `Products that such changes have not reached yet, ${older}`,
    () => pending()?.products,
  );
  gauge('change_oldest_seconds', 'How long the oldest of them has been pending; 0: none is.', () => {
    const oldest = pending()?.oldest ?? clock();
    return Math.max(0, (clock().getTime() - oldest.getTime()) / 1_000);
  });
  gauge('changes_running', 'Merchants whose changes this node works on now.', running);
}
