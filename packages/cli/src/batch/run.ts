import type { Address } from './addresses.ts';
import type { BatchRecord } from './record.ts';

/** Checks one page. @throws CliError when nothing can be told of any page, so that going on is no use */
export type CheckAddress = (address: Address) => Promise<BatchRecord>;

/**
 * Checks pages, so many at a time, begun in order, reported as they come. Ends early when it is asked to stop, and when
 * going on is no use; what was reported before counts.
 *
 * @throws what a check or `report` threw first, once none is under way
 */
export async function checkAll(
  addresses: readonly Address[],
  check: CheckAddress,
  report: (record: BatchRecord) => Promise<void>,
  { concurrency, stop }: { readonly concurrency: number; readonly stop: AbortSignal },
): Promise<void> {
  const queue = addresses.values();
  const faults: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const address of queue) {
      if (stop.aborted || faults.length > 0) return;
      try {
        await report(await check(address));
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (faults.length > 0 && !stop.aborted) throw faults[0];
}
