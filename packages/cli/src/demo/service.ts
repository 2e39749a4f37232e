import { commitOfProgram } from '../commit.ts';
import type { Io } from '../io.ts';
import type { DemoShop } from './shop-server.ts';

/** The demo's service: a real one, with a clock that can be set back. */
export interface DemoService {
  readonly url: string;
  readonly operatorKey: string;
  /** Sets the service's clock back by so many milliseconds. */
  setTimeBack(milliseconds: number): void;
  close(): Promise<void>;
}

interface DemoServiceOptions {
  /** Data folder with the database; removed afterwards. */
  readonly folder: string;
  readonly shop: DemoShop;
  /** 0: any free port. */
  readonly port: number;
}

/** Starts a service that resolves the demo's hosts to this machine. */
export async function startDemoService(
  { folder, shop, port }: DemoServiceOptions,
  { env, now }: Pick<Io, 'env' | 'now'>,
): Promise<DemoService> {
  const { readConfig, startService } = await import('@touchstone/server');
  const key = env.TOUCHSTONE_OPERATOR_KEY;
  const config = readConfig({
    TOUCHSTONE_PORT: String(port),
    TOUCHSTONE_DATA_DIR: folder,
    TOUCHSTONE_LOG_LEVEL: 'warn',
    TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    // its own page checks would be listed among those of the demo
    TOUCHSTONE_SWEEPS: 'false',
    TOUCHSTONE_FETCH_CONNECT_TO: shop.hostnames
      .map((name) => `${name}:${shop.port}=127.0.0.1:${shop.port}`)
      .join(','),
    ...(key === undefined ? {} : { TOUCHSTONE_OPERATOR_KEY: key }),
  });
  let back = 0;
  const clock = () => new Date(now().getTime() - back);
  const service = await startService(config, { clock }, await commitOfProgram());
  if (service.operatorKey === undefined) throw new Error('a new service tells its operator key');
  return {
    url: service.url,
    operatorKey: service.operatorKey,
    setTimeBack: (milliseconds) => {
      back = milliseconds;
    },
    close: () => service.close(),
  };
}
