import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { Mark } from '../ui/frame.tsx';
import { LanguageChoice } from '../ui/language-choice.tsx';
import { fill, Untrusted, useTexts } from '../ui/text.tsx';
import { href, isThere, type PageName, type Route } from './routes.ts';
import { usePlace, useSessionState, useSource, useTools, useWords } from './tools.ts';

/** The frame of every console page: navigation, signed-in user, state of the connection. */
export function ConsoleFrame({ route, children }: { route: Route | undefined; children: ComponentChildren }) {
  const { common } = useTexts();
  const words = useWords();
  const state = useSessionState();
  const isIn = 'session' in state;
  return (
    <div class="console">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="site">
        <a class="brand" href="/" aria-label={common.home}>
          <Mark />
          <span>Touchstone</span>
        </a>
        <a class="brand-part" href={href('home', {})}>
          {words.title}
        </a>
      </header>
      {isIn ? <Navigation route={route} /> : null}
      {/* remounted after sign-in, so that the new navigation does not move existing content */}
      <main id="content" tabIndex={-1} key={isIn ? 'in' : 'out'}>
        <ConnectionNotice />
        {children}
      </main>
      <footer class="site">
        <LanguageChoice />
      </footer>
      <p id="announced" class="announced" role="status" aria-live="polite" />
    </div>
  );
}

function Navigation({ route }: { route: Route | undefined }) {
  const words = useWords();
  const id = useId();
  const { path } = usePlace();
  const [isOpen, open] = useState(false);
  // closes the menu after navigation
  useEffect(() => open(false), [path]);
  return (
    <div class="side" data-open={isOpen ? 'yes' : 'no'}>
      <button
        type="button"
        class="button menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => open(!isOpen)}
      >
        {words.menu}
      </button>
      <div id={id} class="side-inner">
        <nav aria-label={words.nav.label}>
          <Links route={route} />
        </nav>
        <Account />
      </div>
    </div>
  );
}

function Links({ route }: { route: Route | undefined }) {
  const { nav } = useWords();
  const state = useSessionState();
  const isOperator = 'session' in state && state.session.role === 'operator';
  const storeId = route !== undefined && 'storeId' in route.params ? route.params.storeId : undefined;
  const link = (page: PageName, to: string, label: string, also: readonly PageName[] = []) =>
    isThere(page) ? (
      <li>
        <a
          href={to}
          aria-current={
            route?.page === page || (route !== undefined && also.includes(route.page)) ? 'page' : undefined
          }
        >
          {label}
        </a>
      </li>
    ) : null;
  return (
    <>
      <ul>{link('home', href('home', {}), nav.stores, ['newStore'])}</ul>
      {storeId === undefined ? null : (
        <>
          <p class="side-title">{nav.store}</p>
          <ul>
            {link('store', href('store', { storeId }), nav.overview)}
            {link('guide', href('guide', { storeId }), nav.guide)}
            {link('products', href('products', { storeId }), nav.products, ['product'])}
            {link('images', href('images', { storeId }), nav.images)}
            {link('pages', href('pages', { storeId }), nav.pages)}
            {link('copies', href('copies', { storeId }), nav.copies)}
            {link('settings', href('settings', { storeId }), nav.settings)}
          </ul>
        </>
      )}
      <p class="side-title">{isOperator ? nav.operator : nav.account}</p>
      {isOperator ? (
        <ul>
          {link('operator', href('operator', {}), nav.service)}
          {link('merchants', href('merchants', {}), nav.merchants, [
            'merchant',
            'keys',
            'activity',
            'withdrawals',
            'webhooks',
            'webhook',
          ])}
          {link('signingKeys', href('signingKeys', {}), nav.signingKeys)}
          {link('hosts', href('hosts', {}), nav.hosts)}
        </ul>
      ) : (
        <ul>
          {link('keys', href('keys', {}), nav.keys)}
          {link('webhooks', href('webhooks', {}), nav.webhooks, ['webhook'])}
          {link('activity', href('activity', {}), nav.activity)}
          {link('withdrawals', href('withdrawals', {}), nav.withdrawals)}
          {link('evidence', href('evidence', {}), nav.evidence)}
        </ul>
      )}
    </>
  );
}

function Account() {
  const words = useWords();
  const { session } = useTools();
  const state = useSessionState();
  if (!('session' in state)) return null;
  const { role, merchantName } = state.session;
  return (
    <section class="account" aria-label={words.nav.account}>
      <p>
        {role === 'operator' ? (
          words.session.asOperator
        ) : (
          <Untrusted text={fill(words.session.asMerchant, { name: merchantName ?? '' })} />
        )}
      </p>
      <button type="button" class="button" onClick={() => void session.signOut(false)}>
        {words.session.signOut}
      </button>
      <button type="button" class="button quiet" onClick={() => void session.signOut(true)}>
        {words.session.signOutEverywhere}
      </button>
    </section>
  );
}

/** Shows and announces a response that is slow or missing. */
function ConnectionNotice() {
  const { connection } = useTools();
  const words = useWords();
  const state = useSource(connection.subscribe, connection.state);
  return (
    <p class="connection" role="status" data-state={state}>
      {state === 'good' ? '' : words.connection[state]}
    </p>
  );
}
