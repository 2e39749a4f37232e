import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ListenOptions } from 'node:net';
import { runProcess } from '../run-process.ts';

export interface Intrusion {
  /** Where this process writes its findings. */
  readonly report: string;
  /** Where it tries to listen. */
  readonly tries: readonly ListenOptions[];
}

export interface Findings {
  /** The answer to each try: an error code, or `listens`. */
  readonly answers: readonly string[];
  /** As others of the same user see them in `/proc`. */
  readonly environment: string;
  readonly status: string;
}

/** A process of a service in which an attacker runs code. */
runProcess<Intrusion>({
  isFixable: () => false,
  open: async ({ report, tries }) => ({
    listen: async () => {
      const answers: string[] = [];
      for (const options of tries) answers.push(await answerTo(options));
      const [environment = '', status = ''] = ['environ', 'status'].map((name) =>
        readFileSync(`/proc/self/${name}`, 'utf8'),
      );
      writeFileSync(report, JSON.stringify({ answers, environment, status } satisfies Findings));
    },
    ownMetrics: async () => [],
    close: async () => {},
    reportLoad: () => {},
    onLoadElsewhere: () => {},
  }),
});

function answerTo(options: ListenOptions): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    server.listen(options, () => resolve('listens'));
  });
}
