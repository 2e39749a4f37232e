import {
  type ErrorMessage,
  type FromThread,
  messageOf,
  type StreamTask,
  type ToThread,
} from './stream-messages.ts';

/** Asks the thread that answers requests, for what this one must not do itself: network, database. */
export type Ask = <Answer>(question: unknown, transfer?: readonly ArrayBuffer[]) => Promise<Answer>;

/** An answer failed; `code` is that of its error. */
export class AnswerRefused extends Error {
  override readonly name = 'AnswerRefused';
  readonly code: string | undefined;
  readonly question: number | undefined;

  constructor({ message, code, question }: ErrorMessage) {
    super(message);
    this.code = code;
    this.question = question;
  }
}

/** Runs in a thread: sends the items of an iterable through the port of the task, one each time it is asked. */
export async function streamFrom<Input, Item>(
  { port, input }: StreamTask<Input>,
  itemsOf: (input: Input, ask: Ask) => AsyncIterable<Item>,
): Promise<void> {
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ask: Ask = <Answer>(question: unknown, transfer?: readonly ArrayBuffer[]) => {
    const id = asked++;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    post({ kind: 'question', id, question }, transfer);
    return answer.promise as Promise<Answer>;
  };
  let asked = 0;
  const items = itemsOf(input, ask)[Symbol.asyncIterator]();
  const ended = Promise.withResolvers<void>();
  const sendNext = async () => {
    try {
      const next = await items.next();
      if (next.done !== true) return post({ kind: 'item', value: next.value });
      post({ kind: 'end' });
    } catch (error) {
      const question = error instanceof AnswerRefused ? error.question : undefined;
      post({ kind: 'failed', error: messageOf(error, question) });
    }
    ended.resolve();
  };
  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'next':
        void sendNext();
        return;
      case 'stop':
        ended.resolve();
        return;
      default: {
        const answer = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.kind === 'answer') answer?.resolve(message.value);
        else answer?.reject(new AnswerRefused(message.error));
      }
    }
  });
  port.on('close', () => ended.resolve());
  await ended.promise;
  port.close();
  await items.return?.();
}
