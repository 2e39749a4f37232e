import { expect, test } from 'vitest';
import { useScene } from '../../kit/service.ts';

const scene = await useScene({ TOUCHSTONE_IMPORT_INTERVAL_MS: '0' });

async function merchant(host: string) {
  const store = await scene.store(host);
  const path = `/merchants/${store.merchantId}/api-keys`;
  const { key } = (await scene.operate('POST', path, { label: 'l' })) as { key: string };
  const see = async (place: string) => {
    const answer = await scene.call('GET', `/api/v1/registry${place}`, undefined, {
      authorization: `Bearer ${key}`,
    });
    return JSON.stringify(answer.json);
  };
  return { ...store, see };
}

test('secrets that somebody moves to another merchant in the database are not shown to it', async () => {
  const owner = await merchant('shop.example');
  const thief = await merchant('other.example');
  const url = 'https://hooks.example/MARK-hook';
  const hook = await scene.operate('POST', '/webhooks', { merchantId: owner.merchantId, url });
  const store = `/stores/${owner.id}`;
  const source = { url: 'http://shop.example/MARK-source/feed.json', everyHours: 24 };
  await scene.operate('PUT', `${store}/source`, source);
  await scene.operate('PATCH', store, {
    requestHeaders: {
      'Signature-Agent': '"https://MARK-agent.example"',
      'Signature-Input': 'sig1=("@authority");keyid="k"',
      Signature: 'sig1=:AAAA:',
    },
  });
  const imports = () => owner.see(`${store}/imports`);
  await expect.poll(imports).toContain('"failed"');
  const places = [`/webhooks/${hook.id}`, '/webhooks', `${store}/source`, `${store}/imports`, store];
  for (const place of places) expect(await owner.see(place), place).toContain('MARK');

  const { query } = scene.service.database;
  // all that the owner has
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where column_name = 'merchant_id' and table_type = 'BASE TABLE' and table_name <> 'api_keys'`,
  );
  const moves = tables.map(
    ({ name }) =>
      `update ${name} set merchant_id = '${thief.merchantId}' where merchant_id = '${owner.merchantId}'`,
  );
  await scene.service.database.tamper(...moves);
  const shown: string[] = [];
  for (const place of places) if ((await thief.see(place)).includes('MARK')) shown.push(place);
  expect(shown).toEqual([]);
});
