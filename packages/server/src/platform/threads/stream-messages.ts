import type { MessagePort } from 'node:worker_threads';

/** An error in a message: a clone of an Error would lose its code. */
export interface ErrorMessage {
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  /** The question whose answer failed with it. */
  readonly question?: number;
}

/** From the thread: the next item, its end, or a question that it waits for. */
export type FromThread =
  | { readonly kind: 'item'; readonly value: unknown }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: ErrorMessage }
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown };

/** To the thread: `next` asks for one item, so that a slow reader is never sent more. */
export type ToThread =
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: ErrorMessage };

/** What a thread is given. */
export interface StreamTask<Input> {
  readonly port: MessagePort;
  readonly input: Input;
}

export function messageOf(error: unknown, question?: number): ErrorMessage {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return {
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(question === undefined ? {} : { question }),
  };
}
