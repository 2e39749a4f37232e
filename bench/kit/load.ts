import { connect, type Socket } from 'node:net';

/** One serialised request, and how to recognise its correct response. */
export interface Request {
  readonly bytes: Buffer;
  readonly status: number;
  /** Text that the response must contain besides its status, to avoid measuring a wrong one. */
  readonly holds?: string;
}

export function request(
  method: 'GET' | 'HEAD' | 'POST' | 'PUT',
  path: string,
  further: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly status?: number;
    readonly holds?: string;
  } = {},
): Request {
  const { headers = {}, body, status = 200, holds } = further;
  const lines = Object.entries({ host: 'certificates.example', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  return { bytes, status, ...(holds === undefined ? {} : { holds }) };
}

/** Sends requests to one server, on connections that stay open between loads. */
export interface Client {
  /**
   * Each connection sends its next request after the response to the last one.
   *
   * @param next - the request to send now; undefined ends the load
   * @param onAnswer - called with the milliseconds of each response
   * @returns the total seconds
   * @throws Error for an unexpected response
   */
  load(next: () => Request | undefined, onAnswer?: (milliseconds: number) => void): Promise<number>;
  close(): void;
}

/**
 * Writes and reads plain bytes: a complete HTTP client would cost more than what is measured.
 *
 * @param atOnce - number of connections
 */
export function createClient(port: number, atOnce: number): Client {
  let sockets: Socket[] = [];
  return {
    async load(next, onAnswer) {
      const open = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open');
      sockets = [...open, ...Array.from({ length: atOnce - open.length }, () => connect(port, '127.0.0.1'))];
      const begun = performance.now();
      await Promise.all(sockets.map((socket) => exchange(socket, next, onAnswer)));
      return (performance.now() - begun) / 1_000;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Repeats the requests, `count` in all. */
export function repeated(requests: readonly Request[], count: number): () => Request | undefined {
  let sent = 0;
  return () => (sent < count ? requests[sent++ % requests.length] : undefined);
}

async function exchange(
  socket: Socket,
  next: () => Request | undefined,
  onAnswer: ((milliseconds: number) => void) | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let asked: Request;
  let sentAt = 0;
  let received: Buffer | undefined;
  const send = () => {
    const following = next();
    if (following === undefined) return resolve();
    asked = following;
    sentAt = performance.now();
    socket.write(asked.bytes);
  };
  const onData = (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    if (!isWhole(received, asked)) return;
    if (!isExpected(received, asked)) return reject(new Error(received.toString('latin1', 0, 1_000)));
    received = undefined;
    onAnswer?.(performance.now() - sentAt);
    send();
  };
  const onClose = () => reject(new Error('The server closed the connection.'));
  socket.on('error', reject).on('close', onClose).on('data', onData);
  send();
  try {
    await promise;
  } finally {
    socket.off('error', reject).off('close', onClose).off('data', onData);
  }
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

/** Whether a response is complete. */
export function isWhole(received: Buffer, { status }: Pick<Request, 'status'>): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (status === 304) return true;
  const length = LENGTH.exec(received.toString('latin1', 0, end))?.[1];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  return received.subarray(-5).toString('latin1') === '0\r\n\r\n';
}

function isExpected(received: Buffer, { status, holds }: Request): boolean {
  if (received.toString('latin1', 9, 12) !== String(status)) return false;
  return holds === undefined || received.includes(holds);
}
