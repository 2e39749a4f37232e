import type { CoreListener } from '../../../core/registry/events.ts';

/** Ends the sessions of a key that is revoked: if it is good again later, they must not be. */
export const sessionEnds: CoreListener = {
  async apiKeyRevoked(trx, { keyId }) {
    await trx.deleteFrom('console_sessions').where('key_id', '=', keyId).execute();
  },
};
