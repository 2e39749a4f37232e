import { describe, expect } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { covers, scenario } from '../../kit/scenario.ts';
import { useScene } from '../../kit/service.ts';
import { productPage } from '../../kit/shop.ts';
import { useToolClients } from '../../kit/tools.ts';

const scene = await useScene();
const store = await scene.store('lanternhill.example');
const kettle = await store.product('kettle');
const certificate = await scene.certificate(kettle.id);
const clients = await useToolClients(scene.service.url);
const month = new Date().toISOString().slice(0, 7);

const STRIPPED = 'http://lanternhill-outlet.example/kettle';
scene.shop.put(STRIPPED, productPage());
const KEPT = 'http://lanternhlil.example/kettle';
scene.shop.put(KEPT, productPage(certificate));
scene.shop.put(kettle.url, productPage(certificate));

const related = (resemblance: string) => [
  { kind: 'lookalike_host', host: 'lanternhill.example', provenSince: month, resemblance: [resemblance] },
];

describe('a page on a host that resembles a proven one', () => {
  scenario(
    'is told to, as related and as a finding, whether or not it carries a certificate; its verdict stays',
    covers('PV-LOOKALIKE'),
    async () => {
      const stripped = await scene.checkPage(STRIPPED);
      expect(stripped).toMatchObject({ verdict: 'no_certificate', related: related('added_words') });
      expect((stripped.findings as string[])[0]).toMatch(
        /^lookalike_host: .*: lanternhill\.example, proven since \d{4}-\d{2} \(added_words\)$/,
      );
      expect(await scene.checkPage(KEPT)).toMatchObject({
        verdict: 'checks_failed',
        related: related('swapped_letters'),
      });
    },
  );

  scenario(
    'is told so first by the tools and the command line if it carries no certificate',
    covers('PV-LOOKALIKE'),
    async () => {
      const told = 'resembles lanternhill.example, which was proven by its owner';
      for (const { client } of clients) {
        const { content } = await client.callTool({
          name: 'check_product_page',
          arguments: { url: STRIPPED },
        });
        const [first] = content as { text: string }[];
        expect(first?.text.split('\n')[0]).toContain(told);
        expect(first?.text).toMatch(/^What to do: .*ask which of the two was meant\.$/m);
      }
      const { out: stdout } = await runCli(['check', STRIPPED, '--service', scene.service.url]);
      expect(stdout.split('\n')[0]).toContain(told);
    },
  );

  scenario('and the page of the shop itself is told nothing of this', covers('PV-LOOKALIKE'), async () => {
    expect(await scene.checkPage(kettle.url)).not.toHaveProperty('related');
  });

  scenario('is told by the tool about sites over every transport', covers('PV-SITES'), async () => {
    for (const { client } of clients) {
      const { structuredContent } = await client.callTool({
        name: 'check_site',
        arguments: { url: STRIPPED },
      });
      expect(structuredContent).toMatchObject({
        status: 'nothing_known',
        resembles: [{ host: 'lanternhill.example', kinds: ['added_words'] }],
      });
    }
  });
});
