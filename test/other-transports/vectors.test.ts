import { it } from 'vitest';
import { describeTransport } from '../kit/describe-transport.ts';
import { chromiumPath } from '../kit/installed.ts';
import { NO_PYTHON } from '../kit/python.ts';
import { chromiumTransport } from '../scenarios/transports/chromium.ts';
import { pythonTransport } from '../scenarios/transports/python.ts';
import type { Transport } from '../scenarios/transports/transport.ts';

/** Transports that need more than Node and npm; .ci/run has all of it, elsewhere they are reported as skipped. */
const TRANSPORTS: readonly {
  name: string;
  missing: string | null;
  open: () => Transport | Promise<Transport>;
  cannot: number;
}[] = [
  { name: 'python', missing: NO_PYTHON, open: pythonTransport, cannot: 29 },
  {
    name: 'chromium',
    missing: chromiumPath() === null ? 'there is no Chromium' : null,
    open: chromiumTransport,
    cannot: 0,
  },
];

for (const { name, missing, open, cannot } of TRANSPORTS) {
  if (missing !== null) it.skip(`through ${name} (skipped: ${missing})`);
  else describeTransport(await open(), cannot);
}
