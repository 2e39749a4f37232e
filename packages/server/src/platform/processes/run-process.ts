import { flushCompileCache } from 'node:module';
import { AggregatorRegistry } from 'prom-client';
import type { RequestLoad } from '../limits/background-pace.ts';
import type { MetricsReport } from '../metrics/metrics.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';

/** A process of the service after it has been prepared. */
export interface OpenProcess {
  listen(): Promise<void>;
  /** Its own metrics. */
  readonly ownMetrics: () => Promise<MetricsReport>;
  /** Calls `report` now and then, while there are many requests, with the load that they cause in it. */
  readonly reportLoad: (report: (load: RequestLoad) => void) => void;
  /** Receives the load of another process with many requests. */
  readonly onLoadElsewhere: (load: RequestLoad) => void;
  /** Finishes requests in progress and closes everything. */
  close(): Promise<void>;
}

export interface ProcessOptions<Order> {
  /** @param renderMetrics - renders the metrics of all processes in Prometheus text format */
  readonly open: (order: Order, renderMetrics: () => Promise<string>) => Promise<OpenProcess>;
  /** Whether an operator can fix a start error by following its message. */
  readonly isFixable: (error: unknown) => boolean;
}

/**
 * The part of a process that communicates with its supervisor: it waits for messages, and ends when the supervisor requests it or
 * has ended.
 */
export function runProcess<Order>({ open, isFixable }: ProcessOptions<Order>): void {
  const asked = new Map<number, (reports: readonly MetricsReport[]) => void>();
  let questions = 0;
  const renderMetrics = async () => {
    const id = ++questions;
    const { promise, resolve } = Promise.withResolvers<readonly MetricsReport[]>();
    asked.set(id, resolve);
    tell({ kind: 'collect', id });
    return renderTogether(await promise);
  };
  let opened: Promise<OpenProcess> | undefined;

  const orRefuse = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      const fixable = isFixable(error);
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      tell({ kind: 'refused', message: fixable ? message : stack, fixable }, () => process.exit(1));
    }
  };
  const start = async (order: Order): Promise<void> => {
    opened = open(order, renderMetrics);
    await opened;
    tell({ kind: 'opened' });
  };
  const listen = async (): Promise<void> => {
    const running = await opened;
    await running?.listen();
    tell({ kind: 'ready' });
    running?.reportLoad((load) => tell({ kind: 'load', load }));
    // helps the next start if this process is killed before it has closed everything
    flushCompileCache();
  };
  const stop = async (): Promise<void> => {
    const started = await opened?.catch(() => undefined);
    await started?.close();
    process.exit(0);
  };

  // a terminal or process manager sends these signals to the whole group; the supervisor decides when to stop
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'start') void orRefuse(() => start(message.order as Order));
    else if (message.kind === 'listen') void orRefuse(listen);
    else if (message.kind === 'stop') void stop();
    else if (message.kind === 'load') void opened?.then((process) => process.onLoadElsewhere(message.load));
    else if (message.kind === 'collected') {
      asked.get(message.id)?.(message.reports);
      asked.delete(message.id);
    } else {
      const { id } = message;
      void opened
        ?.then(({ ownMetrics }) => ownMetrics())
        .then((metrics) => tell({ kind: 'report', id, metrics }));
    }
  });
}

function tell(message: ToSupervisor, then: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, then);
}

/** The series differ in their label `process`, so that they can be summed. */
function renderTogether(reports: readonly MetricsReport[]): Promise<string> {
  const added = reports.map((report) => report.map((metric) => ({ ...metric, aggregator: 'sum' as const })));
  return AggregatorRegistry.aggregate(added).metrics();
}
