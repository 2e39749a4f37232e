import * as contract from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { scopeOf, viewerOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import { indexMissing } from './index-pictures.ts';
import { purgeReadings } from './readings.ts';
import { getSettings, setSettings } from './settings.ts';

export function openPictureMatches({
  db,
  clock,
  pagePictures,
}: Pick<Core, 'db' | 'clock' | 'pagePictures'>): OpenPart {
  if (pagePictures === undefined) throw new Error('another part was to find the pictures of pages');
  return {
    routes: [
      implement(contract.getPageCheckPictures, async ({ params, query }, call) => {
        const { caller, identity, signal } = call;
        const viewer = viewerOf(identity);
        return ok(
          await pagePictures.get({ id: params.id.toLowerCase(), wait: query.wait, caller, viewer, signal }),
        );
      }),
      implement(contract.getPictureSettings, async ({ params }, { identity }) =>
        ok(await getSettings(db, scopeOf(identity), params.store_id)),
      ),
      implement(contract.setPictureSettings, async ({ params, body }, { identity }) =>
        ok(await setSettings(db, scopeOf(identity), params.store_id, body)),
      ),
    ],
    tasks: [
      { name: 'purge picture readings', every: 300_000, run: () => purgeReadings({ db, clock }) },
      {
        name: 'add pictures without codes',
        every: 86_400_000,
        atStart: true,
        run: () => indexMissing(db),
      },
    ],
  };
}
