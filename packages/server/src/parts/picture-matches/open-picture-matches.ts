import * as contract from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { observeSettings } from '../../core/page-checks/observe-settings.ts';
import { createReadImages } from '../../core/page-checks/page-images.ts';
import type { OpenPart } from '../../core/part.ts';
import { scopeOf, viewerOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { indexMissing } from './index-pictures.ts';
import { createPagePictures } from './page-pictures.ts';
import { purgeReadings } from './readings.ts';
import { getSettings, setSettings } from './settings.ts';

export type PictureMatchesCore = Pick<
  Core,
  'config' | 'db' | 'clock' | 'secrets' | 'logger' | 'closers' | 'fetchers' | 'imageWorkers' | 'pageChecks'
>;

export function openPictureMatches(core: PictureMatchesCore): OpenPart {
  const { config, db, clock, secrets, fetchers, imageWorkers, pageChecks, closers } = core;
  const settings = observeSettings(config);
  const pictures = createPagePictures({
    db,
    clock,
    secrets,
    trusted: secrets.rows,
    imageWorkers,
    readImages: createReadImages({ db, clock, secrets, settings, fetcher: fetchers.images }),
    getPageCheck: pageChecks.useCases.getPageCheck,
    onFault: createFaultWarning(core, 'pictures of a page cannot be read at the moment'),
  });
  closers.add('picture readings', () => pictures.close());
  return {
    routes: [
      implement(contract.getPageCheckPictures, async ({ params, query }, call) => {
        const { caller, identity, signal } = call;
        const viewer = viewerOf(identity);
        return ok(
          await pictures.get({ id: params.id.toLowerCase(), wait: query.wait, caller, viewer, signal }),
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
