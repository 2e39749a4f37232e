import type { PictureMatches } from '@touchstone/contract';

export interface PicturesAsked {
  /** Of the report. */
  readonly id: string;
  /** Seconds. */
  readonly wait: number;
  /** Whose budgets fetches are spent from. */
  readonly caller: string;
  /** The merchant who asks, who is told of its own pictures though it does not want to be named to others. */
  readonly viewer?: string | undefined;
  readonly signal: AbortSignal;
}

/** The part of the service that knows where the pictures of checked pages are certified. */
export interface PagePictures {
  /** @throws ServiceError `page_check_unknown`, `database_unavailable`; the reason of `signal` */
  get(asked: PicturesAsked): Promise<PictureMatches>;
}
