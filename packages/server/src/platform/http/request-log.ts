import type { Logger } from 'pino';
import type { Route } from './route.ts';

export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly url: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly peer: string | undefined;
  /** Members that name its span. */
  readonly ofSpan?: object | undefined;
}

/** Writes the line of one request. */
export function logRequest(logger: Logger, route: Route | undefined, request: LoggedRequest): void {
  const { requestId, method, url, status, milliseconds, peer, ofSpan } = request;
  // neither cached certificates, which are too many, nor probes are logged
  const isDull = route?.hot === true || route?.tag === 'Operations';
  const level = isDull && status < 400 ? 'debug' : 'info';
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId,
      operation: route?.id,
      method,
      path: url?.split('?', 1)[0]?.slice(0, 500),
      status,
      ms: Math.round(milliseconds * 10) / 10,
      peer,
      ...ofSpan,
    },
    'request',
  );
}
