import type { Clock } from '../clock.ts';
import { countLooks } from '../images/count-looks.ts';
import type { Metrics } from '../metrics.ts';
import type { Database } from '../storage/database.ts';
import type { Images } from './images.ts';
import type { Chore } from './maintenance.ts';

export interface CountImagesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Shows in the metrics what is left to do with images. Counted at the start and then by a chore, whoever scrapes how
 * often; on nodes that only answer, too: that no other node works is what somebody wants to hear of.
 */
export async function countImages(
  { db, clock, metrics }: CountImagesOptions,
  { underWay }: Pick<Images, 'underWay'>,
): Promise<Chore> {
  let left = await countLooks(db);
  metrics.watchImages({ underWay, left: () => left, clock });
  return {
    name: 'count images',
    every: 60_000,
    run: async () => {
      left = await countLooks(db);
    },
  };
}
