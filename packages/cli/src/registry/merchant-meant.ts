import { usage } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';

/**
 * The merchant that is named, else the only one that the key may see: a merchant's own, or the only one that there is.
 *
 * @param occasion - a sentence that says why one is needed, where the command does not
 * @throws CliError (usage) where several could be meant, or there is none
 */
export async function merchantMeant(
  client: ServiceClient,
  named: string | undefined,
  occasion?: string,
): Promise<string> {
  if (named !== undefined) return named;
  const { merchants } = await client.call('listMerchants', { query: { limit: 2 } });
  const [only] = merchants;
  const because = (sentence: string) => (occasion === undefined ? sentence : `${occasion} ${sentence}`);
  if (only === undefined)
    throw usage(
      because('There is no merchant yet.'),
      'The operator makes one: touchstone merchants create --name <name> --capacity <n>',
    );
  if (merchants.length > 1)
    throw usage(
      because('Several merchants could be meant.'),
      'Name one: --merchant-id <uuid>. List them: touchstone merchants list.',
    );
  return only.id;
}
