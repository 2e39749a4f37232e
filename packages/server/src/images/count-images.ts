import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Chore } from '../platform/jobs/scheduled-tasks.ts';
import type { ImageCounts, Metrics } from '../platform/metrics/metrics.ts';
import { countLooks } from './count-scans.ts';
import type { Images } from './open-images.ts';

export interface CountImagesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Shows in the metrics what is left to do with images. Counted at the start and then by a chore, whoever scrapes how
 * often; on nodes that only answer, too: that no other node works is what somebody wants to hear of.
 */
export function countImages(
  { db, clock, metrics }: CountImagesOptions,
  { underWay }: Pick<Images, 'underWay'>,
): Chore {
  let left: ImageCounts | null = null;
  metrics.watchImages({ underWay, left: () => left, clock });
  const run = async () => {
    left = await countLooks(db);
  };
  // nobody waits for it: no start may depend on a count, and the chore tells of what fails
  run().catch(() => {});
  return { name: 'count images', every: 60_000, run };
}
