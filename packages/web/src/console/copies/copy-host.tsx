import type { CopyHost, CopyList } from '@touchstone/contract';
import { Fill, fill, Untrusted, UntrustedLink, useTexts } from '../../ui/text.tsx';
import { useAction } from '../loading.ts';
import { At, type Standing, State } from '../parts/display.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ActionButton } from '../parts/form.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { href, isThere } from '../routes.ts';
import { useCaller, useTools, useWords } from '../tools.ts';
import { NoticeText } from './notice.tsx';

type Decision = Exclude<CopyHost['state'], 'gone'>;

const STANDINGS: Readonly<Record<CopyHost['state'], Standing>> = {
  new: 'open',
  mine: 'good',
  allowed: 'good',
  reported: 'working',
  gone: 'off',
};

interface CopyHostProps {
  readonly storeId: string;
  readonly host: CopyHost;
  /** Certificates on it, by product. */
  readonly copies: CopyList['domains'][number]['copies'];
  readonly onDecided: () => void;
}

/** What was found on one host, what its owner states about it, and what the merchant decides. */
export function CopyHostView({ storeId, host: found, copies, onDecided }: CopyHostProps) {
  const { client, announce } = useTools();
  const { copies: words } = useWords();
  const { host, url, state, checkedAt } = found;
  const decide = useAction(async (decision: Decision, confirms?: Confirmed) => {
    const body = { state: decision, ...(confirms === undefined ? {} : { confirms }) };
    await client.call('decideCopy', { params: { store_id: storeId, host }, body });
    announce(words.decided);
    onDecided();
  });
  return (
    <section class="copy-host" aria-label={host}>
      <p>
        <UntrustedLink url={url} /> <State standing={STANDINGS[state]} label={words.states[state]} />
      </p>
      <Findings storeId={storeId} host={found} copies={copies} />
      {checkedAt === undefined ? null : (
        <p class="hint">
          <At text={words.checked} at={checkedAt} />
        </p>
      )}
      <Statement host={found} decide={decide} />
      <Decide host={found} decide={decide} />
      <NoticeText host={found} />
      <p class="actions">
        <a href={`/check?${new URLSearchParams({ url })}`}>{words.check}</a>
        <Keep host={found} copies={copies} />
      </p>
    </section>
  );
}

function Findings({ storeId, host, copies }: Omit<CopyHostProps, 'onDecided'>) {
  const { copies: words } = useWords();
  const { certificate, pictures, name } = host.found;
  return (
    <ul>
      {pictures === undefined ? null : (
        <li>
          <Fill
            text={words.found.pictures}
            values={{
              pictures: pictures.pictures,
              of: pictures.of,
              host: <Untrusted text={pictures.original} />,
            }}
          />
          {(['name', 'gtin', 'text'] as const).map((what) =>
            pictures.same.includes(what) ? ` ${words.found.same[what]}` : '',
          )}
        </li>
      )}
      {name === undefined ? null : (
        <li>
          <Fill text={words.found.name} values={{ host: <Untrusted text={name.original} /> }} />
        </li>
      )}
      {certificate === undefined ? null : (
        <li>
          {words.found.certificate}
          {copies.map(({ productId, externalProductId }) => (
            <span key={productId}>
              {' '}
              <a href={href('product', { storeId, productId })}>
                <Untrusted text={fill(words.ofProduct, { id: externalProductId })} />
              </a>
            </span>
          ))}
        </li>
      )}
    </ul>
  );
}

type Confirmed = NonNullable<CopyHost['statement']>['says'];
type Decide = ReturnType<typeof useAction<[decision: Decision, confirms?: Confirmed]>>;

interface DecideProps {
  readonly host: CopyHost;
  readonly decide: Decide;
}

/** The word of whoever has proven control of the host. */
function Statement({ host: { statement }, decide }: DecideProps) {
  const { copies: words } = useWords();
  const { hostStatements } = useTexts();
  if (statement === undefined) return null;
  const { says, confirmed } = statement;
  return (
    <div class="notice" data-tone="neutral">
      <p>{fill(words.statement, { statement: hostStatements[says] })}</p>
      {confirmed ? (
        <p>{words.confirmed}</p>
      ) : (
        <ActionButton
          isSmall
          label={words.confirm}
          isBusy={decide.isBusy}
          run={() => decide.run(says === 'own_shop' ? 'mine' : 'allowed', says)}
        />
      )}
    </div>
  );
}

const DECISIONS = ['new', 'mine', 'allowed', 'reported'] as const;

function Decide({ host: { host, state }, decide }: DecideProps) {
  const { copies: words } = useWords();
  const options = state === 'gone' ? (['gone', ...DECISIONS] as const) : DECISIONS;
  return (
    <>
      <SelectField<CopyHost['state']>
        label={fill(words.decision, { host })}
        hint={words.decisionHints[state]}
        value={state}
        onValue={(chosen) => {
          if (chosen !== 'gone') void decide.run(chosen);
        }}
        options={options.map((option) => [option, words.states[option]] as const)}
      />
      <ErrorNotice error={decide.error} />
    </>
  );
}

/** A link to the page that keeps evidence, which merchants alone have. */
function Keep({ host: { url }, copies }: Pick<CopyHostProps, 'host' | 'copies'>) {
  const { copies: words } = useWords();
  const isOwn = useCaller().role === 'merchant';
  if (!isOwn || !isThere('evidence')) return null;
  return <a href={href('evidence', {}, { url, original: copies[0]?.productId })}>{words.keep}</a>;
}
