import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../run-process.ts';

/** A process of a service whose first process receives many requests; each records the load that others report. */
runProcess<{ readonly number: number; readonly folder: string }>({
  isFixable: () => false,
  open: async ({ number, folder }) => ({
    listen: async () => {},
    ownMetrics: async () => [],
    close: async () => {},
    reportLoad: (report) => {
      if (number === 1) setInterval(report, 500, { utilization: 0.5 }).unref();
    },
    onLoadElsewhere: (load) => writeFileSync(join(folder, String(number)), JSON.stringify(load)),
  }),
});
