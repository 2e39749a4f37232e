/** Milliseconds for slow or silent clients. Injected in tests. */
export interface HttpTimeouts {
  /** For the request line and headers. */
  readonly headers: number;
  /** For a JSON body as a whole. */
  readonly body: number;
  /** Between two bytes of a streamed body. */
  readonly streamIdle: number;
  /** For a whole request, including a streamed body. */
  readonly request: number;
  /** For an idle connection between two requests. */
  readonly keepAlive: number;
  /** Without activity on any connection, for example if a client does not read its answer. */
  readonly socketIdle: number;
}

export const DEFAULT_TIMEOUTS: HttpTimeouts = {
  headers: 10_000,
  body: 30_000,
  streamIdle: 30_000,
  request: 30 * 60_000,
  // longer than the usual 60 s of a load balancer, so that the load balancer closes connections
  keepAlive: 72_000,
  socketIdle: 120_000,
};
