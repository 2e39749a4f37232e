import { Counter, Registry } from 'prom-client';
import { tellBuild } from './build-info.ts';
import type { MetricsReport } from './metrics.ts';
import { countProcess } from './process-metrics.ts';

/** What the process that watches over the others counts about itself and them. */
export interface SupervisorMetrics {
  onProcessEnd(): void;
  report(): Promise<MetricsReport>;
}

export function createSupervisorMetrics(commit?: string): SupervisorMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process: 'supervisor' });
  countProcess(registry, { answers: false });
  tellBuild(registry, commit);
  const ends = new Counter({
    name: 'touchstone_process_ends_total',
    help: 'Processes of the service that ended unexpectedly and were replaced.',
    registers: [registry],
  });
  return { onProcessEnd: () => ends.inc(), report: () => registry.getMetricsAsJSON() };
}
