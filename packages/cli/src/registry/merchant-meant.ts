import { usage } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';

/**
 * The given merchant, or else the only one visible to the key: a merchant's own, or the only one that exists.
 *
 * @param occasion - a sentence that says why a merchant is needed, if the command does not make that clear
 * @throws CliError (usage) if several are possible, or there is none
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
      'The operator creates one: touchstone merchants create --name <name> --capacity <n>',
    );
  if (merchants.length > 1)
    throw usage(
      because('The key may see several merchants.'),
      'Choose one: --merchant-id <uuid>. List them: touchstone merchants list.',
    );
  return only.id;
}
