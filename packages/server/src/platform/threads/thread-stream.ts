import { MessageChannel } from 'node:worker_threads';
import type { Tinypool } from 'tinypool';
import { type FromThread, messageOf, type StreamTask, type ToThread } from './stream-messages.ts';
import { isOutOfMemory } from './thread-pool.ts';

/** A task exceeded the time or memory of a thread: caused by its input, not by a fault of ours. */
export class TaskTooHeavy extends Error {
  override readonly name = 'TaskTooHeavy';
  readonly limit: 'time' | 'memory';

  constructor(limit: TaskTooHeavy['limit'], options?: { cause?: unknown }) {
    super(`A thread exceeded its ${limit}.`, options);
    this.limit = limit;
  }
}

/** An error of the code in a thread. */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, stack: string | undefined) {
    super(message);
    this.code = code;
    if (stack !== undefined) this.stack = stack;
  }
}

export interface Answer {
  readonly value?: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

export interface ThreadStreamOptions<Input, Question> {
  readonly pool: Tinypool;
  readonly input: Input;
  /** Answers a question of the thread; its errors are those of the stream unless the thread handles them. */
  readonly answer: (question: Question) => Promise<Answer>;
  /** Milliseconds that the thread may work without sending something or asking. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * The items that a thread produces, one at a time: it works on the next one only when asked. Abandoning the iteration ends its
 * work; aborting `signal`, or exceeding a limit, ends the thread whatever it is doing.
 *
 * @throws TaskTooHeavy; ThreadFailure; an error of `answer`; the reason of `signal`
 */
export async function* streamInThread<Input, Question, Item>({
  pool,
  input,
  answer,
  deadline,
  signal,
}: ThreadStreamOptions<Input, Question>): AsyncGenerator<Item, void, undefined> {
  signal.throwIfAborted();
  const { port1: port, port2 } = new MessageChannel();
  const late = new AbortController();
  const failures = new Map<number, unknown>();
  let next = expected();
  let timer: NodeJS.Timeout | undefined;
  const post = (message: ToThread, transfer: readonly ArrayBuffer[] = []) => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(), deadline).unref();
    port.postMessage(message, transfer);
  };
  const reply = async ({ id, question }: Extract<FromThread, { kind: 'question' }>) => {
    try {
      const { value, transfer } = await answer(question as Question);
      post({ kind: 'answer', id, value }, transfer);
    } catch (error) {
      failures.set(id, error);
      post({ kind: 'refusal', id, error: messageOf(error, id) });
    }
  };
  port.on('message', (message: FromThread) => {
    clearTimeout(timer);
    if (message.kind === 'question') void reply(message);
    else next.resolve(message);
  });
  const task: StreamTask<Input> = { port: port2, input };
  const run: Promise<void> = pool.run(task, {
    transferList: [port2],
    signal: AbortSignal.any([signal, late.signal]),
  });
  run.catch((cause: unknown) => {
    if (signal.aborted) next.reject(signal.reason);
    else if (late.signal.aborted) next.reject(new TaskTooHeavy('time', { cause }));
    else next.reject(isOutOfMemory(cause) ? new TaskTooHeavy('memory', { cause }) : cause);
  });
  try {
    for (;;) {
      post({ kind: 'next' });
      const message = await next.promise;
      if (message.kind === 'end') return;
      if (message.kind === 'failed') {
        const { question, code, message: text, stack } = message.error;
        throw question === undefined ? new ThreadFailure(text, code, stack) : failures.get(question);
      }
      next = expected();
      yield message.value as Item;
    }
  } finally {
    clearTimeout(timer);
    port.postMessage({ kind: 'stop' } satisfies ToThread);
    port.close();
  }
}

function expected() {
  const next = Promise.withResolvers<Extract<FromThread, { kind: 'item' | 'end' | 'failed' }>>();
  // the thread may end while the last item is being processed; that is thrown when the next one is asked for
  next.promise.catch(() => {});
  return next;
}
