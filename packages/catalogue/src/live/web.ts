/** An answer of the shop, after redirects, whatever its status. */
export interface LiveAnswer {
  readonly status: number;
  readonly finalUrl: string;
  /** Seconds that the shop asks to wait (`Retry-After`). */
  readonly retryAfter?: number;
  /** Total of products, if stated (`X-WP-Total`). */
  readonly total?: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Network and clock for reading a live shop. */
export interface LiveWeb {
  /**
   * One GET, redirects followed.
   *
   * @throws SourceError `source_unreachable` without an answer
   */
  get(url: string): Promise<LiveAnswer>;
  /** Waits; rejects if the reading is cancelled. */
  sleep(milliseconds: number): Promise<void>;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** Access with the key of a shop's API, which the caller sends to no other origin, and along no redirect. */
export interface KeyedWeb {
  /** Scheme, host and port for which the key was given. */
  readonly origin: string;
  readonly web: LiveWeb;
}

/** Why a live catalogue cannot be read, or not completely. */
export const SOURCE_ERRORS = {
  source_unreachable: 'The shop cannot be reached.',
  source_blocked: 'Requests to this address are not allowed.',
  source_too_large: 'A response of the shop is too large: import it as a file.',
  source_too_heavy: 'The catalogue takes too much time or memory to read.',
  source_too_many: 'The catalogue has more products than may be registered.',
  source_refused: 'The shop refuses our requests.',
  source_busy: 'The shop accepts no more requests at the moment.',
  source_failing: 'The shop answers with errors.',
  source_unknown: 'No catalogue was found at this address.',
  source_key_withheld:
    'The key of the shop was not sent: it is only for the address that was given, over https.',
  source_changed: 'The shop answers with something other than its catalogue.',
} as const;

export type SourceErrorCode = keyof typeof SOURCE_ERRORS;

/** Ends the reading of a live catalogue; it can resume after the last batch. */
export class SourceError extends Error {
  readonly code: SourceErrorCode;

  constructor(code: SourceErrorCode, detail = '', options?: { cause?: unknown }) {
    super(detail === '' ? SOURCE_ERRORS[code] : `${SOURCE_ERRORS[code]} ${detail}`, options);
    this.name = 'SourceError';
    this.code = code;
  }
}

/** Attempts at one address. */
const ATTEMPTS = 5;
/** Milliseconds before the second attempt; doubled each time. */
const FIRST_WAIT = 2_000;
/** Seconds that a shop may ask to wait; if it asks for more, the reading ends. */
const MAX_RETRY_AFTER = 3_600;
/** Shopify uses 430 for too many requests. */
const BUSY: ReadonlySet<number> = new Set([429, 430, 502, 503, 504]);

/** Sends one request at a time, no faster than its interval, and waits if the shop asks for it. */
export class PoliteWeb {
  readonly #web: LiveWeb;
  readonly #onWait: ((reason: string, milliseconds: number) => void) | undefined;
  /** Milliseconds between two requests. */
  interval: number;
  #last = Number.NEGATIVE_INFINITY;

  constructor(
    web: LiveWeb,
    options: {
      readonly interval: number;
      readonly onWait?: (reason: string, milliseconds: number) => void;
    },
  ) {
    this.#web = web;
    this.interval = options.interval;
    this.#onWait = options.onWait;
  }

  /**
   * Retries while the shop is busy or unreachable.
   *
   * @throws SourceError after the last attempt
   */
  async get(url: string): Promise<LiveAnswer> {
    for (let attempt = 1; ; attempt++) {
      const pause = this.#last + this.interval - this.#web.now();
      if (pause > 0) await this.#web.sleep(pause);
      this.#last = this.#web.now();
      const answer = await this.#web.get(url).catch((error: unknown) => {
        if (error instanceof SourceError && error.code === 'source_unreachable' && attempt < ATTEMPTS)
          return error;
        throw error;
      });
      if (!(answer instanceof SourceError) && !BUSY.has(answer.status)) return answer;
      const asked = answer instanceof SourceError ? 0 : (answer.retryAfter ?? 0);
      const reason = answer instanceof SourceError ? answer.message : `The shop answered ${answer.status}.`;
      if (!(answer instanceof SourceError)) {
        await discard(answer);
        if (attempt >= ATTEMPTS || asked > MAX_RETRY_AFTER) {
          const isThrottled = answer.status === 429 || answer.status === 430;
          throw new SourceError(
            isThrottled ? 'source_busy' : 'source_failing',
            `It answered ${answer.status}.`,
          );
        }
      }
      const wait = Math.max(FIRST_WAIT * 2 ** (attempt - 1), asked * 1000);
      this.#onWait?.(reason, wait);
      await this.#web.sleep(wait);
    }
  }
}

/** Cancels a body, which releases its connection. */
export async function discard({ body }: Pick<LiveAnswer, 'body'>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** A complete body; `null`: it exceeds the limit. */
export async function bytesOf(
  { body }: Pick<LiveAnswer, 'body'>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size > limit) return null;
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
