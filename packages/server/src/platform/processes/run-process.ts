import { flushCompileCache } from 'node:module';
import { AggregatorRegistry } from 'prom-client';
import type { RequestLoad } from '../limits/background-pace.ts';
import type { MetricsReport } from '../metrics/metrics.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';

/** What a process of the service is, once it has opened all that it needs. */
export interface OpenProcess {
  listen(): Promise<void>;
  /** What it counted itself. */
  readonly ownMetrics: () => Promise<MetricsReport>;
  /** What requests take of it; undefined while few ask. */
  readonly load: () => RequestLoad | undefined;
  /** Another process of the service is asked often. */
  readonly onLoadElsewhere: (load: RequestLoad) => void;
  /** Finishes what is under way and closes everything. */
  close(): Promise<void>;
}

export interface ProcessOptions<Order> {
  /** @param renderMetrics - of all processes together, in Prometheus text format */
  readonly open: (order: Order, renderMetrics: () => Promise<string>) => Promise<OpenProcess>;
  /** Whether a fault of starting is one that an operator can fix, as its message says. */
  readonly isFixable: (error: unknown) => boolean;
}

/** Milliseconds between two words on what requests take. */
const LOAD_EVERY = 500;

/**
 * The side of a process that a supervisor started: waits to be told what to do, and ends when told, or when the supervisor
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
    await (await opened)?.listen();
    tell({ kind: 'ready' });
    setInterval(() => void reportLoad(), LOAD_EVERY).unref();
    // for the next start: this one may be killed before it ends in order
    flushCompileCache();
  };
  const reportLoad = async (): Promise<void> => {
    const load = (await opened)?.load();
    if (load !== undefined) tell({ kind: 'load', load });
  };
  const stop = async (): Promise<void> => {
    const started = await opened?.catch(() => undefined);
    await started?.close();
    process.exit(0);
  };

  // sent to the whole group by a terminal or a process manager: the supervisor says when to stop
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

/** The series differ by their label `process`, so that nothing is lost by adding up those of one name. */
function renderTogether(reports: readonly MetricsReport[]): Promise<string> {
  const added = reports.map((report) => report.map((metric) => ({ ...metric, aggregator: 'sum' as const })));
  return AggregatorRegistry.aggregate(added).metrics();
}
