import type { WithdrawalList } from '@touchstone/contract';
import type { Command } from 'commander';
import { safe, table } from '../output/text.ts';
import { addRegistryCommand, compact } from '../registry/registry-command.ts';
import { everyItem } from '../registry-client.ts';
import type { Session } from '../session.ts';

interface WithdrawalsOptions {
  readonly merchant?: string;
  readonly store?: string;
  readonly product?: string;
}

type Withdrawal = WithdrawalList['withdrawals'][number];

const CAUSES: Readonly<Record<Withdrawal['cause'], string>> = {
  by_hand: 'by hand',
  deleted: 'product deleted',
  disabled: 'product disabled',
  host_lost: 'host lost',
  key_revoked: 'signing key revoked',
  restored: 'before the database was restored',
};

export function addWithdrawals(program: Command, session: Session): void {
  addRegistryCommand<WithdrawalsOptions>(program, session, {
    words: 'withdrawals',
    description: 'List what was withdrawn for good: when, why and by which API key, the latest first.',
    example: 'withdrawals --store 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    options: (command) =>
      command
        .option('--store <store-id>', 'only of this store')
        .option('--product <product-id>', 'only of this product')
        .option('--merchant <merchant-id>', 'for operators: of this merchant'),
    run: async ({ client, options: { store: storeId, product: productId, merchant: merchantId } }) => {
      const filter = compact({ storeId, productId, merchantId });
      const withdrawals = await everyItem(
        (cursor) =>
          client.call('listWithdrawals', { query: { ...filter, ...compact({ cursor }), limit: 500 } }),
        (page) => page.withdrawals,
      );
      const words = () =>
        withdrawals.length === 0
          ? 'Nothing was withdrawn.\n'
          : table(
              withdrawals.map((one) => [
                one.at,
                `${CAUSES[one.cause]}${one.changeId === undefined ? '' : ' (many at once)'}`,
                safe(whatOf(one)),
                safe(one.reason ?? ''),
                safe(whoOf(one)),
              ]),
            );
      return { value: { withdrawals }, words };
    },
  });
}

function whatOf({ kid, productId, productName, externalProductId, deleted }: Withdrawal): string {
  if (productId === undefined) return `all signed by ${kid}`;
  const known = [externalProductId, productName].filter((part) => part !== undefined).join(' ');
  return `product ${productId} ${known}${deleted === undefined ? '' : ` (${deleted} deleted by now)`}`;
}

function whoOf({ byKey, byRole, byLabel }: Withdrawal): string {
  if (byRole === 'operator') return 'by the operator';
  if (byKey === undefined) return '';
  return `by API key ${byLabel === undefined ? byKey : `${byLabel} (${byKey})`}`;
}
