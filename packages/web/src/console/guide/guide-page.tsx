import type { SetupStep, StoreSetup } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Fill, fill, Untrusted } from '../../ui/text.tsx';
import { type GuideStep, guideSteps, shownStep, stepAfter } from '../guide-steps.ts';
import { useCall, useRepeat } from '../loading.ts';
import { type Standing, State } from '../parts/display.tsx';
import { Notice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { usePlace, useWords } from '../tools.ts';
import { DomainStep } from './domain-step.tsx';
import { ImagesStep } from './images-step.tsx';
import { PagesStep } from './pages-step.tsx';
import { ProductsStep } from './products-step.tsx';
import { PublishStep } from './publish-step.tsx';
import type { StepProps } from './step-props.ts';

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 5_000;

/** The setup guide, step by step until pages have their certificates. */
export function GuidePage({ storeId }: { storeId: string }) {
  const { guide: words } = useWords();
  const params = { store_id: storeId };
  const store = useCall('getStore', { params });
  const setup = useCall('getStoreSetup', { params });
  useRepeat(
    setup.reload,
    POLL_INTERVAL,
    setup.value !== undefined && setup.error === undefined && !setup.isLoading,
  );
  const { step: asked } = tableState({ step: 'text' }, usePlace().search);
  // a completed step stays in view, marked as done, until the user continues
  const begun = useRef<SetupStep>(undefined);
  if (setup.value !== undefined) begun.current ??= shownStep(setup.value, undefined);
  const wanted = asked ?? begun.current;
  const name = store.value?.name ?? '';
  return (
    <Page title={fill(words.title, { store: name })} of={<Untrusted text={store.value?.url ?? ''} />}>
      <Shown of={store}>
        {(known) => (
          <Shown of={setup}>
            {(state) => (
              <div class="guide">
                <Steps storeId={storeId} steps={guideSteps(state)} shown={shownStep(state, wanted)} />
                <Step
                  key={shownStep(state, wanted)}
                  step={shownStep(state, wanted)}
                  hasMoved={asked !== undefined}
                  store={known}
                  setup={state}
                  onChange={setup.reload}
                  onStore={store.replace}
                />
              </div>
            )}
          </Shown>
        )}
      </Shown>
    </Page>
  );
}

const STANDINGS: Readonly<Record<GuideStep['state'], Standing>> = {
  done: 'good',
  under_way: 'working',
  problem: 'bad',
  now: 'open',
  later: 'off',
};

function Steps({
  storeId,
  steps,
  shown,
}: {
  storeId: string;
  steps: readonly GuideStep[];
  shown: SetupStep;
}) {
  const { guide: words } = useWords();
  return (
    <nav class="steps" aria-label={words.steps}>
      <ol>
        {steps.map(({ step, state }) => (
          <li key={step} data-state={state}>
            <a href={href('guide', { storeId }, { step })} aria-current={step === shown ? 'step' : undefined}>
              {words.names[step]}
            </a>
            <State standing={STANDINGS[state]} label={words.states[state]} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Step({ step, hasMoved, ...props }: StepProps & { step: SetupStep; hasMoved: boolean }) {
  const { guide: words } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  // moves the focus to the step that the user chose
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, [hasMoved]);
  return (
    <section class="step" aria-labelledby="step-title">
      <h2 id="step-title" ref={heading} tabIndex={-1}>
        {words.names[step]}
      </h2>
      {bodyOf(step, props)}
      <Onward step={step} setup={props.setup} />
    </section>
  );
}

function bodyOf(step: SetupStep, props: StepProps): ComponentChildren {
  switch (step) {
    case 'store':
      return <StoreStep {...props} />;
    case 'domain':
      return <DomainStep {...props} />;
    case 'products':
      return <ProductsStep {...props} />;
    case 'images':
      return <ImagesStep {...props} />;
    case 'publish':
      return <PublishStep {...props} />;
    case 'pages':
      return <PagesStep {...props} />;
  }
}

function StoreStep({ store }: StepProps) {
  const { guide: words, nav } = useWords();
  return (
    <p>
      {words.store.body} <a href={href('settings', { storeId: store.id })}>{nav.settings}</a>
    </p>
  );
}

/** Link to the next step: after a completed step, or skipping one. */
function Onward({ step, setup }: { step: SetupStep; setup: StoreSetup }) {
  const { guide: words } = useWords();
  const { storeId, complete } = setup;
  if (complete)
    return (
      <Notice tone="good" title={words.finished}>
        <p>{words.finishedBody}</p>
        <p>
          <a class="button primary" href={href('store', { storeId })}>
            {words.toOverview}
          </a>
        </p>
      </Notice>
    );
  const next = stepAfter(setup, step);
  if (next === undefined)
    return (
      <p>
        <a href={href('store', { storeId })}>{words.toOverview}</a>
      </p>
    );
  const isDone = setup.steps.some((one) => one.step === step && one.state === 'done');
  return (
    <p class="onward">
      <a class={isDone ? 'button primary' : 'quiet'} href={href('guide', { storeId }, { step: next })}>
        <Fill text={isDone ? words.next : words.skip} values={{ step: words.names[next] }} />
      </a>
    </p>
  );
}
