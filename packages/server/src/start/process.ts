import { openNode } from '../compose.ts';
import { type Place, startOrClose } from '../core/prepare.ts';
import { StartError } from '../platform/lifecycle/start-error.ts';
import { type Environment, setVariables } from '../platform/processes/environment.ts';
import { runProcess } from '../platform/processes/run-process.ts';
import type { Config } from '../platform/settings/config.ts';

/** What the supervisor sends to each process. */
export interface ProcessOrder {
  /** With this process's share of each limit. */
  readonly config: Config;
  readonly place: Place;
  readonly number: number;
  readonly processes: number;
  /** That runs, if it is known. */
  readonly commit?: string | undefined;
  /** Variables for libraries. In the environment with which the process is started, others could read them. */
  readonly variables: Environment;
}

/** Started by `startProcesses`, once for each process. */
runProcess<ProcessOrder>({
  isFixable: (error) => error instanceof StartError,
  open: ({ config, place, number, processes, commit, variables }, renderMetrics) => {
    setVariables(variables);
    return startOrClose(
      config,
      {},
      async (start) => {
        const node = await openNode(start, place, { number, processes, commit, renderMetrics });
        const { listen, close, metrics, pace } = node;
        const { reportLoad, onLoadElsewhere } = pace;
        return { listen, close, ownMetrics: metrics.report, reportLoad, onLoadElsewhere };
      },
      String(number),
    );
  },
});
