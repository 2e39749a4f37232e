import type { Store } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { hasPart, readPageData } from '../../ui/page-data.ts';
import { Fill } from '../../ui/text.tsx';
import { Copyable } from '../parts/display.tsx';
import { RadioField } from '../parts/fields.tsx';
import { href } from '../routes.ts';
import { ShopifyConnection } from '../shopify/shopify-connection.tsx';
import { useFormat, useWords } from '../tools.ts';
import type { StepProps } from './step-props.ts';

const WAYS = ['woocommerce', 'shopify', 'edge', 'static', 'server'] as const;
type Way = (typeof WAYS)[number];

const WAY_OF: Readonly<Record<Store['platform'], Way>> = {
  woocommerce: 'woocommerce',
  shopify: 'shopify',
  custom: 'static',
};

/** How to add certificates to the pages, depending on the platform. */
export function PublishStep({ store, setup }: StepProps) {
  const { guide } = useWords();
  const words = guide.publish;
  const { count } = useFormat();
  const ways = WAYS.filter((way) => way !== 'shopify' || hasPart('shopify'));
  const usual = WAY_OF[store.platform];
  const [way, choose] = useState<Way>(ways.includes(usual) ? usual : 'static');
  const { carrying } = setup.pages;
  return (
    <>
      <p>{words.body}</p>
      <p>
        {count(words.ready, setup.certificates)} {carrying > 0 ? count(words.seen, carrying) : words.notSeen}
      </p>
      <RadioField
        legend={words.how}
        value={way}
        onValue={choose}
        options={ways.map((value) => ({ value, label: words.tabs[value] }))}
      />
      <WayBody way={way} store={store} isConnected={setup.publisher?.platform === 'shopify'} />
      <p class="hint">
        <Fill text={words.guide} values={{ downloads: <a href="/downloads">{words.downloads}</a> }} />
      </p>
    </>
  );
}

function WayBody({ way, store, isConnected }: { way: Way; store: Store; isConnected: boolean }) {
  const { guide } = useWords();
  const words = guide.publish;
  const { baseUrl } = readPageData();
  const file = (name: string) => `${baseUrl}/downloads/${name}`;
  const install = `npm install --global ${file('touchstone-cli.tgz')}`;
  const service = `${install}\nexport TOUCHSTONE_SERVICE=${baseUrl} TOUCHSTONE_KEY=…`;
  const pull = `touchstone certificates pull ${store.id} --out certificates/`;
  switch (way) {
    case 'woocommerce':
      return (
        <Numbered
          steps={[
            <>
              {words.woocommerce.one} <Get file="touchstone-certificates.zip" />
            </>,
            <>
              {words.woocommerce.two}
              <Copyable text={baseUrl} label={words.woocommerce.service} />
              <a href={href('keys', {}, { merchant: store.merchantId })}>{words.woocommerce.key}</a>
            </>,
            words.woocommerce.three,
          ]}
        />
      );
    case 'shopify':
      return (
        <Numbered
          steps={[
            words.shopify.one,
            <>
              {words.shopify.two}
              <ShopifyConnection store={store} isConnected={isConnected} />
            </>,
            <>
              {words.shopify.three} <Get file="touchstone-shopify.zip" />
            </>,
          ]}
        />
      );
    case 'edge':
      return (
        <Numbered
          steps={[
            <>
              {words.edge.one}
              <Copyable
                isBlock
                text={`npm install ${file('touchstone-certificate.tgz')} ${file('touchstone-edge.tgz')}`}
                label={words.edge.one}
              />
              <Copyable isBlock text={edgeExample(baseUrl)} label={words.tabs.edge} />
            </>,
            words.edge.two,
          ]}
        />
      );
    case 'static':
      return (
        <Numbered
          steps={[
            <>
              {words.static.one}
              <Copyable isBlock text={service} label={words.static.one} />
              <a href={href('keys', {}, { merchant: store.merchantId })}>{words.woocommerce.key}</a>
            </>,
            <>
              {words.static.two}
              <Copyable
                isBlock
                text={`${pull}\ntouchstone embed dist/ --certificates certificates/`}
                label={words.static.two}
              />
            </>,
            words.static.three,
          ]}
        />
      );
    case 'server':
      return (
        <Numbered
          steps={[
            <>
              {words.server.one}
              <Copyable isBlock text={`${service}\n${pull}`} label={words.server.one} />
              <a href={href('keys', {}, { merchant: store.merchantId })}>{words.woocommerce.key}</a>
            </>,
            words.server.two,
          ]}
        />
      );
  }
}

/** A file that the service itself serves. */
function Get({ file }: { file: string }) {
  return (
    <a href={`/downloads/${file}`} download>
      {file}
    </a>
  );
}

function edgeExample(service: string): string {
  return [
    "import { withCertificate } from '@touchstone/edge';",
    '',
    'export default {',
    '  fetch: withCertificate({',
    `    service: '${service}',`,
    '    match: /^\\/products\\//,',
    '  }),',
    '};',
  ].join('\n');
}

function Numbered({ steps }: { steps: readonly ComponentChildren[] }) {
  return (
    <ol class="instructions">
      {steps.map((step, index) => (
        <li key={index}>{step}</li>
      ))}
    </ol>
  );
}
