import { copiesPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { addMissingHosts } from './add-missing.ts';
import { recordCertificate } from './copies.ts';
import { recordLikeness } from './hosts.ts';
import { lookAgain } from './look-again.ts';
import { purgeCopies } from './purge.ts';
import { copyRoutes } from './routes.ts';

/** Records what page checks find of a merchant's shop on hosts of others, and looks again until it is gone. */
export const copiesPart: Part = {
  ...contract,
  hasTables: true,
  listeners: { certificateCopied: recordCertificate, likenessFound: recordLikeness },
  async open({ db, clock, secrets, emit, registry, pageChecks, pagePictures }) {
    const looking = { db, clock, emit, checkPage: pageChecks.useCases.checkPage, pagePictures };
    return {
      routes: copyRoutes({ db, clock, emit, registry, trusted: secrets.rows }),
      tasks: [
        { name: 'purge copies', every: 3_600_000, run: () => purgeCopies(db, clock()) },
        { name: 'add hosts of copies', every: 86_400_000, atStart: true, run: () => addMissingHosts(db) },
        { name: 'look for copies again', every: 60_000, run: (signal) => lookAgain(looking, signal) },
      ],
    };
  },
};
