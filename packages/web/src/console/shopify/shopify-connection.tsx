import type { Store } from '@touchstone/contract';
import { useRef, useState } from 'preact/hooks';
import { Fill, fill, Untrusted, useTexts } from '../../ui/text.tsx';
import type { CallBody } from '../calls.ts';
import { useAction, useLoad, useRepeat } from '../loading.ts';
import { Bar, type Standing, State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Notice, Shown } from '../parts/notices.tsx';
import { CodeSentence } from '../parts/reason.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

type Connection = CallBody<'getShopify'>;

interface Credentials {
  readonly shop: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly accessToken?: string;
}

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 5_000;

/** Connects the store to its Shopify shop, and shows the progress. */
export function ShopifyConnection({ store, isConnected }: { store: Store; isConnected: boolean }) {
  const { client } = useTools();
  const params = { store_id: store.id };
  const isAsked = useRef(isConnected);
  const loaded = useLoad<Connection | null>(
    // requesting a missing connection gives an error response, which browsers log
    async (signal) => (isAsked.current ? await client.call('getShopify', { params }, { signal }) : null),
    [store.id],
  );
  useRepeat(
    loaded.reload,
    POLL_INTERVAL,
    loaded.value !== undefined && loaded.value !== null && loaded.error === undefined,
  );
  const connect = async (body: Credentials) => {
    const connection = await client.call('connectShopify', { params, body });
    isAsked.current = true;
    loaded.replace(connection);
  };
  return (
    <Shown of={loaded}>
      {(connection) =>
        connection === null ? <ConnectForm connect={connect} /> : <Connected connection={connection} />
      }
    </Shown>
  );
}

/** The permanent name of a shop, also from its address; `undefined` if it is not one. */
function permanentName(typed: string): string | undefined {
  const host = webAddress(typed)?.hostname;
  return host?.endsWith('.myshopify.com') === true ? host : undefined;
}

/** An app of the Dev Dashboard has a client ID and secret; an app created in the shop's admin has a token. */
function ConnectForm({ connect }: { connect: (body: Credentials) => Promise<void> }) {
  const { guide, required } = useWords();
  const words = guide.publish.shopify;
  const [shop, setShop] = useState('');
  const [clientId, setId] = useState('');
  const [clientSecret, setSecret] = useState('');
  const [accessToken, setToken] = useState('');
  const [isAsked, ask] = useState(false);
  const isByToken = accessToken.trim() !== '';
  const name = permanentName(shop);
  const action = useAction(async () => {
    await connect({
      shop: name ?? '',
      ...(isByToken ? { accessToken } : { clientId }),
      ...(clientSecret.trim() === '' ? {} : { clientSecret }),
    });
  });
  const submit = () => {
    ask(true);
    const needed = isByToken ? [] : [clientId, clientSecret];
    if (name !== undefined && needed.every((value) => value.trim() !== '')) void action.run();
  };
  const missing = (value: string) => (isAsked && value.trim() === '' ? required : undefined);
  return (
    <Form action={action} label={words.connect} onSubmit={submit}>
      <TextField
        label={words.shop}
        hint={words.shopHint}
        value={shop}
        onValue={setShop}
        wrong={missing(shop) ?? (isAsked && name === undefined ? words.shopWrong : undefined)}
      />
      <TextField
        label={words.clientId}
        hint={words.clientIdHint}
        autocomplete="off"
        value={clientId}
        onValue={setId}
        wrong={isByToken ? undefined : missing(clientId)}
      />
      <TextField
        label={words.secret}
        hint={words.secretHint}
        type="password"
        autocomplete="off"
        value={clientSecret}
        onValue={setSecret}
        wrong={isByToken ? undefined : missing(clientSecret)}
      />
      <TextField
        label={words.token}
        hint={words.tokenHint}
        type="password"
        autocomplete="off"
        value={accessToken}
        onValue={setToken}
        isOptional
      />
    </Form>
  );
}

const STANDINGS: Readonly<Record<Connection['state'], Standing>> = {
  reading: 'working',
  publishing: 'working',
  current: 'good',
  failing: 'bad',
};

function Connected({ connection }: { connection: Connection }) {
  const { guide } = useWords();
  const words = guide.publish.shopify;
  const { shopifyProblems } = useTexts();
  const { count, number } = useFormat();
  const { shop, state, reading, products, published, failed, problem, problems } = connection;
  const shown = problem === undefined ? problems.slice(0, 10) : [problem];
  return (
    <section>
      <p>
        <Fill text={words.connected} values={{ shop: <Untrusted text={shop} /> }} />{' '}
        <State standing={STANDINGS[state]} label={words.states[state]} />
      </p>
      {reading?.of === undefined ? null : (
        <Bar
          label={fill(words.steps[reading.step], {
            products: number(reading.products),
            of: number(Math.max(reading.of, reading.products)),
          })}
          done={reading.products}
          total={Math.max(reading.of, reading.products)}
        />
      )}
      <Bar
        label={fill(words.counts, { published: number(published), products: number(products) })}
        done={published}
        total={products}
      />
      {shown.length === 0 ? null : (
        <Notice tone="caution" {...(failed > 0 ? { title: count(words.failed, failed) } : {})}>
          <ul>
            {shown.map(({ code, detail, nextStep }, index) => (
              <li key={index}>
                <CodeSentence
                  code={code}
                  sentences={shopifyProblems}
                  value={detail}
                  said={`${nextStep} ${detail}`.trim()}
                />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  );
}
