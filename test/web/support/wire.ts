import { type IncomingHttpHeaders, request } from 'node:http';
import { httpServer } from '../../kit/servers.ts';

/** A request as received by a service, and the response. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/** A recording proxy in front of a service: browsers report less to their debuggers than they send. */
export interface Wire {
  /** Without a trailing slash. */
  readonly url: string;
  readonly sent: readonly Sent[];
  close(): Promise<void>;
}

export async function openWire(service: string): Promise<Wire> {
  const { hostname, port } = new URL(service);
  const sent: Sent[] = [];
  const server = await httpServer((asked, response) => {
    const { method = '', url: path = '', headers } = asked;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      sent.push({ method, path, headers, status });
      response.writeHead(status, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  });
  return { ...server, sent };
}
