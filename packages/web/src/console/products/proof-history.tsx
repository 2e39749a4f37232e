import type { ProductProof } from '@touchstone/contract';
import { Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At, type Standing, State } from '../parts/display.tsx';
import { List } from '../parts/list.tsx';
import { Shown } from '../parts/notices.tsx';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useWords } from '../tools.ts';

const STANDINGS: Readonly<Record<ProductProof['state'], Standing>> = {
  current: 'good',
  valid: 'working',
  expired: 'off',
  key_revoked: 'bad',
  withdrawn: 'bad',
};

/** The proofs issued for a product, visible only to its merchant: when, why, by which key, until when. */
export function ProofHistory({ productId }: { productId: string }) {
  const { proofs: words } = useWords();
  const { count } = useFormat();
  const table = tableState({ cursor: 'text' }, usePlace().search);
  const loaded = useCall('listProductProofs', {
    params: { product_id: productId },
    query: { ...table, limit: 20 },
  });
  return (
    <section>
      <h2>{words.title}</h2>
      <Shown of={loaded}>
        {({ proofs, keptDays, nextCursor }) => (
          <>
            <p class="hint">{count(words.intro, keptDays)}</p>
            <List
              isOrdered
              label={words.title}
              table={table}
              nextCursor={nextCursor}
              empty={<p>{words.none}</p>}
            >
              {proofs.map((proof) => (
                <Proof key={`${proof.issuedAt} ${proof.kid}`} proof={proof} />
              ))}
            </List>
          </>
        )}
      </Shown>
    </section>
  );
}

function Proof({ proof }: { proof: ProductProof }) {
  const { proofs: words } = useWords();
  const { issuedAt, expiresAt, kid, keyRevokedAt, state, reason, changed = [] } = proof;
  const what = changed.map((name) => words.members[name]).join(', ');
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <At text="{time}" at={issuedAt} />
        </span>
        <span>
          {words.reasons[reason]}
          {what === '' ? '' : ` ${what}.`}
        </span>
        <span class="row-detail">
          <At text={words.until} at={expiresAt} /> · {words.key}{' '}
          <code>
            <Untrusted text={kid} />
          </code>
          {keyRevokedAt === undefined ? null : ' · '}
          <At text={words.revokedAt} at={keyRevokedAt} />
        </span>
      </div>
      <div class="row-side">
        <State standing={STANDINGS[state]} label={words.states[state]} />
      </div>
    </li>
  );
}
