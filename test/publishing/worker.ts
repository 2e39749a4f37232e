/** The worker in workerd: an origin and a service on loopback, with or without certificates. */
import { type EdgeOptions, withCertificate } from '../../packages/edge/src/index.ts';

export interface Env {
  readonly ORIGIN: string;
  readonly SERVICE: string;
  readonly OPTIONS: Pick<EdgeOptions, 'badge' | 'freshFor' | 'patience'>;
}

const PRODUCT = /^\/products\/([0-9a-f-]{36})$/;

const atOrigin = (request: Request, { ORIGIN }: Env): Promise<Response> => {
  const url = new URL(request.url);
  return fetch(new Request(ORIGIN + url.pathname + url.search, request));
};

let handler: ReturnType<typeof withCertificate<Env>> | undefined;

export const worker = {
  fetch(request: Request, env: Env, context: { waitUntil(work: Promise<unknown>): void }) {
    if (new URL(request.url).pathname.startsWith('/plain/')) return atOrigin(request, env);
    handler ??= withCertificate<Env>({
      service: env.SERVICE,
      origin: atOrigin,
      productId: ({ pathname }) => PRODUCT.exec(pathname)?.[1],
      ...env.OPTIONS,
    });
    return handler(request, env, context);
  },
};
