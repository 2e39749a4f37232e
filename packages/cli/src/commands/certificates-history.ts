import type { ProductProof } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { type Paint, safe } from '../output/text.ts';
import { pagesOf, registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

interface HistoryOptions extends GlobalOptions {
  readonly key?: string;
}

export function addCertificatesHistory(certificates: Command, session: Session): void {
  const history = certificates
    .command('history')
    .description(
      'List the proofs of a product: when and why each was issued, with which key, and when it expires.',
    )
    .argument('<product-id>', 'the product')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((productId: string) =>
      listHistory(session, productId, history.optsWithGlobals<HistoryOptions>()),
    );
}

async function listHistory(session: Session, productId: string, options: HistoryOptions): Promise<void> {
  const client = registryClient(session, options);
  const params = { product_id: productId };
  const proofs: ProductProof[] = [];
  let keptDays = 0;
  for await (const page of pagesOf((cursor) =>
    client.call('listProductProofs', { params, query: { cursor, limit: 100 } }),
  )) {
    proofs.push(...page.proofs);
    ({ keptDays } = page);
  }
  session.print(options, { productId, keptDays, proofs }, () => words(proofs, keptDays, session.paint));
  session.exitCode = EXIT.verified;
}

const STATES: Readonly<Record<ProductProof['state'], string>> = {
  current: 'served now',
  valid: 'replaced, valid until it expires',
  expired: 'expired',
  key_revoked: 'its key was revoked',
  withdrawn: 'withdrawn for good',
};

const REASONS: Readonly<Record<ProductProof['reason'], string>> = {
  first: 'the first',
  renewed: 'renewal',
  changed: 'changed',
  form_changed: 'the service changed the format of certificates',
  key_revoked: 'the previous key was revoked',
  withdrawn: 'the previous one was withdrawn',
  not_known: 'the previous one is no longer kept',
};

function words(proofs: readonly ProductProof[], keptDays: number, paint: Paint): string {
  if (proofs.length === 0) return `No proof was issued in the last ${keptDays} days.\n`;
  const lines = proofs.map(({ issuedAt, expiresAt, kid, state, reason, changed }) => {
    const why = changed === undefined ? REASONS[reason] : `${REASONS[reason]}: ${changed.join(', ')}`;
    const shown = paint(state === 'current' ? 'good' : 'dim', STATES[state]);
    return `${safe(issuedAt)} to ${safe(expiresAt)}  ${shown}\n  ${safe(why)}; key ${safe(kid)}`;
  });
  return `${lines.join('\n')}\n`;
}
