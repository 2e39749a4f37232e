/** A service in a process of its own, which reports the CPU that it has used. Started by bench/mcp.ts and bench/page-checks.ts. */
import { readConfig, startService } from '@touchstone/server';

export interface ChildReady {
  readonly url: string;
  readonly operatorKey: string;
}

const folder = process.argv[2] ?? '';
const settings = JSON.parse(process.argv[3] ?? '{}') as Record<string, string>;
const service = await startService(
  readConfig({
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: folder,
    TOUCHSTONE_BASE_URL: 'https://certificates.example',
    ...settings,
  }),
  { durable: false, logDestination: { write: () => {} } },
);

process.on('message', async (order: 'cpu' | 'stop') => {
  if (order === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
    return;
  }
  await service.close();
  process.disconnect();
});

process.send?.({ url: service.url, operatorKey: service.operatorKey ?? '' } satisfies ChildReady);
