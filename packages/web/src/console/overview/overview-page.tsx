import type { Store, StoreSetup } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { hasPart } from '../../ui/page-data.ts';
import { Fill, fill, Untrusted, useTexts } from '../../ui/text.tsx';
import type { CallBody } from '../calls.ts';
import { useLoad } from '../loading.ts';
import { Notice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import { History } from './history.tsx';

/** State of a store: what needs attention, and its numbers now and over time. */
export function OverviewPage({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { overview: words } = useWords();
  const params = { store_id: storeId };
  const loaded = useLoad(
    async (signal) => {
      const [store, setup, counts, images, sweep, certificates] = await Promise.all([
        client.call('getStore', { params }, { signal }),
        client.call('getStoreSetup', { params }, { signal }),
        client.call('countProducts', { params }, { signal }),
        client.call('getImageProgress', { params }, { signal }),
        hasPart('sweeps') ? client.call('getSweep', { params }, { signal }) : undefined,
        client.call('getCertificateProgress', { params }, { signal }),
      ]);
      return { store, setup, counts, images, sweep, certificates };
    },
    [storeId],
  );
  const store = loaded.value?.store;
  return (
    <Page title={store?.name ?? words.title} of={<Untrusted text={store?.url ?? ''} />}>
      <Shown of={loaded}>
        {(known) => (
          <>
            {isSetUp(known.setup, known.sweep) ? null : (
              <Notice tone="neutral" title={words.setup}>
                <p>
                  <a class="button primary" href={href('guide', { storeId })}>
                    {words.toGuide}
                  </a>
                </p>
              </Notice>
            )}
            <Numbers known={known} />
            <ToDo known={known} />
            <History storeId={storeId} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** Nobody can tell whether pages carry certificates if the service does not check them. */
function isSetUp({ complete, steps }: StoreSetup, sweep: CallBody<'getSweep'> | undefined): boolean {
  if (complete || (sweep !== undefined && sweep.state !== 'off')) return complete;
  return steps.every(({ step, state }) => step === 'publish' || step === 'pages' || state === 'done');
}

interface Known {
  readonly store: Store;
  readonly counts: CallBody<'countProducts'>;
  readonly images: CallBody<'getImageProgress'>;
  /** Absent: this service checks no pages periodically. */
  readonly sweep: CallBody<'getSweep'> | undefined;
  readonly certificates: CallBody<'getCertificateProgress'>;
}

function Numbers({ known: { store, counts, images, sweep } }: { known: Known }) {
  const { overview: words } = useWords();
  const { number } = useFormat();
  const storeId = store.id;
  const { total, states } = counts;
  return (
    <section aria-label={words.numbers}>
      <ul class="figures">
        <Figure
          href={href('products', { storeId })}
          value={states.active}
          label={words.active}
          of={fill(words.of, { total: number(total) })}
        />
        {sweep === undefined ? null : (
          <Figure
            href={href('pages', { storeId })}
            value={sweep.pages.verified}
            label={words.pagesVerified}
            of={fill(words.ofChecked, { total: number(sweep.pages.checked) })}
          />
        )}
        <Figure
          href={href('images', { storeId })}
          value={images.certified}
          label={words.imagesCertified}
          of={fill(words.of, { total: number(images.total) })}
        />
        {sweep === undefined ? null : (
          <Figure href={href('copies', { storeId })} value={sweep.copies} label={words.copies} />
        )}
      </ul>
    </section>
  );
}

function Figure({ href: to, value, label, of }: { href: string; value: number; label: string; of?: string }) {
  const { number } = useFormat();
  return (
    <li>
      <a href={to}>
        <span class="figure-value">{number(value)}</span>
        <span class="figure-label">{label}</span>
        {of === undefined ? null : <span class="hint">{of}</span>}
      </a>
    </li>
  );
}

/** What needs attention, each with a link. */
function ToDo({ known: { store, counts, images, sweep, certificates } }: { known: Known }) {
  const { overview: words } = useWords();
  const { sweeps } = useTexts();
  const { count } = useFormat();
  const { pages } = useWords();
  const { todo } = words;
  const storeId = store.id;
  const { states, total } = counts;
  const items: (readonly [href: string, text: ComponentChildren, nextStep: string])[] = [];
  const add = (when: boolean, to: string, text: ComponentChildren, nextStep = '') => {
    if (when) items.push([to, text, nextStep]);
  };
  for (const { hostname, verified, missing, lostAt } of store.domains) {
    const host = { hostname: <Untrusted text={hostname} /> };
    add(lostAt !== undefined, href('settings', { storeId }), <Fill text={todo.lost} values={host} />);
    add(
      missing !== undefined,
      href('guide', { storeId }, { step: 'domain' }),
      <Fill text={todo.missing} values={host} />,
    );
    add(
      !verified && lostAt === undefined,
      href('guide', { storeId }, { step: 'domain' }),
      <Fill text={todo.domain} values={host} />,
    );
  }
  add(total === 0, href('guide', { storeId }, { step: 'products' }), todo.noProducts);
  add(
    states.no_slot > 0,
    href('products', { storeId }, { state: 'no_slot' }),
    count(todo.noSlot, states.no_slot),
  );
  add(
    states.host_lost > 0,
    href('products', { storeId }, { state: 'host_lost' }),
    count(todo.hostLost, states.host_lost),
  );
  add(states.paused > 0, href('products', { storeId }, { state: 'paused' }), todo.paused);
  add(
    certificates.failed > 0,
    href('products', { storeId }),
    count(todo.certificatesFailed, certificates.failed),
  );
  for (const { result, count: pagesOf } of sweep?.problems ?? [])
    add(
      true,
      href('pages', { storeId }, { result }),
      count(todo.pages, pagesOf, { result: pages.results[result] }),
      sweeps[result].nextStep,
    );
  add(
    images.failed > 0,
    href('images', { storeId }, { state: 'failed' }),
    count(todo.imagesFailed, images.failed),
  );
  add(
    images.notServed > 0,
    href('images', { storeId }, { state: 'not_served' }),
    count(todo.notServed, images.notServed),
  );
  const copies = sweep?.copies ?? 0;
  add(copies > 0, href('copies', { storeId }), count(todo.copies, copies));
  return (
    <section>
      <h2>{words.toDo}</h2>
      {items.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <ul class="todo">
          {items.map(([to, text, nextStep]) => (
            <li key={to}>
              <a href={to}>{text}</a>
              {nextStep === '' ? null : <span class="hint">{nextStep}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
