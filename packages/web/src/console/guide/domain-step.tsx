import type { DomainProof, DomainView } from '@touchstone/contract';
import { useRef, useState } from 'preact/hooks';
import { FactList } from '../../ui/fact-list.tsx';
import { Fill, fill, Untrusted, useTexts } from '../../ui/text.tsx';
import { proofWays } from '../domain-proofs.ts';
import { useAction, useRepeat } from '../loading.ts';
import { Copyable, State } from '../parts/display.tsx';
import { CheckField } from '../parts/fields.tsx';
import { ErrorNotice, Notice } from '../parts/notices.tsx';
import { CodeSentence } from '../parts/reason.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';
import type { StepProps } from './step-props.ts';

/** Every host of the store: whether it is proven, missing its challenge or another merchant's, and how to prove it. */
export function DomainStep(props: StepProps) {
  const { guide } = useWords();
  const words = guide.domain;
  const { domains } = props.store;
  return (
    <>
      {domains.every(({ verified }) => verified) ? <p>{words.allProven}</p> : null}
      {domains.map((domain) => (
        <OneDomain key={domain.hostname} {...props} domain={domain} />
      ))}
    </>
  );
}

function OneDomain({ domain, ...props }: StepProps & { domain: DomainView }) {
  const { guide } = useWords();
  const { moment } = useFormat();
  const words = guide.domain;
  const host = <Untrusted text={domain.hostname} />;
  const { confirmedAt, missing, lostAt, decidedAt } = domain;
  if (domain.verified && missing === undefined)
    return (
      <Notice tone="good">
        <p>
          <Fill text={words.proven} values={{ hostname: host }} />
        </p>
        {confirmedAt === undefined ? null : <p>{fill(words.confirmed, { time: moment(confirmedAt) })}</p>}
      </Notice>
    );
  const time = decidedAt === undefined ? '' : moment(decidedAt);
  return (
    <>
      {missing === undefined ? null : (
        <Notice tone="bad">
          <p>
            <Fill
              text={words.missing}
              values={{ hostname: host, since: moment(missing.since), until: moment(missing.until) }}
            />
          </p>
        </Notice>
      )}
      {lostAt === undefined && decidedAt === undefined ? null : (
        <Notice tone="bad">
          <p>
            <Fill
              text={
                decidedAt === undefined ? words.lost : lostAt === undefined ? words.contested : words.pending
              }
              values={{ hostname: host, time }}
            />
          </p>
        </Notice>
      )}
      <Unproven {...props} domain={domain} />
    </>
  );
}

/** Poll interval in milliseconds, for the proof at the shop. */
const POLL_INTERVAL = 15_000;

function Unproven({ store, domain, onChange, onStore }: StepProps & { domain: DomainView }) {
  const { client, announce } = useTools();
  const { guide } = useWords();
  const words = guide.domain;
  const { moment } = useFormat();
  const [last, setLast] = useState<{ proof: DomainProof; at: string }>();
  const [isRepeating, repeat] = useState(false);
  const said = useRef('');
  const action = useAction(async () => {
    const params = { store_id: store.id, hostname: domain.hostname };
    const proof = await client.call('verifyDomain', { params });
    setLast({ proof, at: new Date().toISOString() });
    const reload = async () => onStore(await client.call('getStore', { params: { store_id: store.id } }));
    if (!proof.verified) {
      // what counts until then is shown above
      if (proof.provenUntil !== undefined || proof.decidedAt !== undefined) await reload();
      // the next step is shown below
      if (proof.nextStep !== said.current) announce(words.notYet);
      said.current = proof.nextStep;
      return;
    }
    announce(fill(words.proven, { hostname: domain.hostname }));
    repeat(false);
    await reload();
    onChange();
  });
  useRepeat(() => void action.run(), POLL_INTERVAL, isRepeating);
  return (
    <section class="domain">
      <p>
        <Fill text={words.body} values={{ hostname: <Untrusted text={domain.hostname} /> }} />
      </p>
      <Ways store={store} domain={domain} />
      <div class="actions">
        <button
          type="button"
          class="button primary"
          aria-disabled={action.isBusy}
          onClick={() => void action.run()}
        >
          {action.isBusy ? words.checking : words.check}
        </button>
        <CheckField label={words.keepChecking} checked={isRepeating} onValue={repeat} />
      </div>
      <ErrorNotice error={action.error} />
      {last === undefined ? null : <Findings proof={last.proof} at={moment(last.at)} />}
    </section>
  );
}

function Ways({ store, domain }: Pick<StepProps, 'store'> & { domain: DomainView }) {
  const { guide } = useWords();
  const words = guide.domain;
  return (
    <ol class="ways">
      {proofWays(store, domain).map(({ method, where, put }, index) => (
        <li key={method}>
          {/* open only for the first method, which suits the shop best */}
          <details open={index === 0}>
            <summary>{words.titles[method]}</summary>
            <p class="hint">{words.hints[store.platform][method]}</p>
            <FactList
              facts={[
                [words.where[method], <Copyable text={where} label={words.where[method]} />],
                [words.put[method], <Copyable text={put} label={words.put[method]} />],
              ]}
            />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Findings({ proof, at }: { proof: DomainProof; at: string }) {
  const { guide } = useWords();
  const { domainFindings, pageCodes } = useTexts();
  const words = guide.domain;
  return (
    <section class="findings">
      <h3>{words.findings}</h3>
      <p class="hint">
        <Fill text={words.foundAt} values={{ time: at }} />
      </p>
      <ul class="rows">
        {proof.saw.map(({ method, where, found, code, value, detail }) => (
          <li key={method} class="row">
            <div class="row-main">
              <span class="row-title">{words.titles[method]}</span>
              <span class="row-detail">
                <Untrusted text={where} />
              </span>
              <p>
                <CodeSentence
                  code={code}
                  sentences={{ ...pageCodes, ...domainFindings }}
                  value={value}
                  said={detail}
                />
              </p>
            </div>
            <div class="row-side">
              <State standing={found ? 'good' : 'off'} label={found ? words.found : words.notFound} />
            </div>
          </li>
        ))}
      </ul>
      <p class="next-step">{words.nextStep}</p>
    </section>
  );
}
