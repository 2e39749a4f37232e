import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Answer } from './contract.ts';

/** Bytes to send, or milliseconds to wait before the next ones. */
export type Step = string | Uint8Array | number;

export interface Conversation {
  /** All final responses, in order. */
  readonly answers: readonly Answer[];
  /** Bytes after the last complete response. */
  readonly rest: Buffer;
  /** Whether the service closed the connection before the timeout. */
  readonly closed: boolean;
  readonly ms: number;
}

export interface RawOptions {
  /** Timeout in milliseconds until the service closes the connection or sends nothing more. */
  readonly patience?: number;
  /** Stop after this number of responses. */
  readonly enough?: number;
  /** Methods of the requests, in order: a response to HEAD has no body. */
  readonly methods?: readonly string[];
}

/** The statuses of all responses, in order. */
export const statuses = ({ answers }: Conversation): number[] => answers.map(({ status }) => status);

/** The head of a request with these header fields. */
export const requestHead = (line: string, ...fields: readonly string[]): string =>
  `${[line, 'Host: a', ...fields].join('\r\n')}\r\n\r\n`;

/** Sends bytes on a new connection, and reads until it is closed or enough responses arrived. */
export async function converse(
  port: number,
  steps: readonly Step[],
  options: RawOptions = {},
): Promise<Conversation> {
  const begun = performance.now();
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  const over = new Promise<boolean>((resolve) => {
    const look = () => {
      const { answers } = parseAnswers(received, begun, options.methods);
      if (options.enough !== undefined && answers.length >= options.enough) resolve(false);
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      look();
    });
    // a reset comes if more is sent than the service reads
    socket.on('error', () => resolve(true));
    socket.on('close', () => resolve(true));
    setTimeout(() => resolve(false), options.patience ?? 10_000).unref();
  });
  void say(socket, steps);
  const closed = await over;
  socket.destroy();
  return { ...parseAnswers(received, begun, options.methods), closed, ms: performance.now() - begun };
}

/** Opens a connection, sends an incomplete request, and leaves it open. */
export async function hang(port: number, beginning: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(beginning);
  return socket;
}

async function say(socket: Socket, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'number') await new Promise((resolve) => setTimeout(resolve, step));
    else if (socket.writable) socket.write(step);
  }
}

function parseAnswers(
  bytes: Buffer,
  begun: number,
  methods: readonly string[] = [],
): Pick<Conversation, 'answers' | 'rest'> {
  const answers: Answer[] = [];
  let rest = bytes;
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head === -1) return { answers, rest };
    const [line = '', ...fields] = rest.subarray(0, head).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return { answers, rest };
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const after = rest.subarray(head + 4);
    const empty = status < 200 || status === 204 || status === 304 || methods[answers.length] === 'HEAD';
    const body = empty ? { size: 0, body: Buffer.alloc(0) } : bodyOf(after, headers);
    if (body === null) return { answers, rest };
    rest = after.subarray(body.size);
    if (status >= 200) answers.push({ status, headers, body: body.body, ms: performance.now() - begun });
  }
}

/** The body as framed by its headers; null while it is incomplete. */
function bodyOf(bytes: Buffer, headers: Record<string, string>): { size: number; body: Buffer } | null {
  if (headers['transfer-encoding'] === 'chunked') return dechunked(bytes);
  const size = Number(headers['content-length'] ?? bytes.length);
  return bytes.length < size ? null : { size, body: bytes.subarray(0, size) };
}

function dechunked(bytes: Buffer): { size: number; body: Buffer } | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return null;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { size: next, body: Buffer.concat(parts) };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}
