import { sweepsPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { flag, integer } from '../../platform/settings/setting-types.ts';
import { sweepOrders } from './order-sweeps.ts';

const SETTINGS = {
  SWEEPS: flag.default(true).describe('Whether this node checks the pages of stores periodically.'),
  SWEEP_PAGES_PER_DAY: integer(1, 1_000_000)
    .default(2_000)
    .describe('Pages checked per store and day (UTC).'),
  SWEEP_PER_HOST: integer(1, 1_000).default(10).describe('Pages of one host checked in any minute.'),
  SWEEP_HOURS: integer(1, 8_760)
    .default(24)
    .describe('Hours until a page is checked again, if the budgets allow it.'),
};

/** Checks the pages of stores periodically, and records the results. */
export const sweepsPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  listeners: sweepOrders,
  async open({ config, db, clock, logger, metrics, emit, pageChecks }) {
    const { openSweeps } = await import('./open-sweeps.ts');
    const values = settingsIn(SETTINGS, config);
    const settings = {
      perDay: values.SWEEP_PAGES_PER_DAY,
      perHost: values.SWEEP_PER_HOST,
      // so that sweeps cannot use up the budget for requested checks
      inAll: Math.ceil(config.fetch.total / 4),
      every: values.SWEEP_HOURS * 3_600_000,
    };
    const { checkPage } = pageChecks.useCases;
    return openSweeps({ db, clock, logger, metrics, emit, checkPage, isOn: values.SWEEPS, settings });
  },
};
