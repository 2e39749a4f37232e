import type { CatalogueShape, SourceKind } from '@touchstone/catalogue';
import type { Progress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { baseAddress, type GlobalOptions } from '../settings.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Summary } from './summary.ts';

export interface ImportOptions extends GlobalOptions {
  readonly storeUrl?: string;
  readonly store?: string;
  readonly storeId?: string;
  readonly storeName?: string;
  readonly merchantId?: string;
  readonly key?: string;
  readonly shape?: CatalogueShape;
  readonly kind?: SourceKind;
  readonly rebase: boolean;
  readonly dryRun?: boolean;
  readonly resume?: string;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly interval: number;
}

/** One run of the command. */
export interface ImportRun {
  readonly session: Session;
  readonly source: string;
  readonly options: ImportOptions;
  readonly summary: Summary;
  readonly checkpoint: Checkpoint;
  readonly progress: Progress;
}

/** Whether the source is a shop's address, and not a file. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

export function namedStoreUrl({ storeUrl }: ImportOptions): string | undefined {
  return storeUrl === undefined ? undefined : baseAddress(storeUrl, 'The store address (--store-url)');
}
