import type { ComponentChildren } from 'preact';
import { ActivityPage } from './account/activity-page.tsx';
import { KeysPage } from './account/keys-page.tsx';
import { ConsoleFrame } from './frame.tsx';
import { lazy } from './lazy.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { ErrorNotice, Waiting } from './parts/notices.tsx';
import { Page } from './parts/page.tsx';
import { ProductsPage } from './products/products-page.tsx';
import { href, isThere, type Route, routeOf } from './routes.ts';
import { SignInAgain, SignInPage } from './sign-in.tsx';
import { HomePage } from './stores/home-page.tsx';
import { NewStorePage } from './stores/new-store-page.tsx';
import { usePlace, useSessionState, useTools, useWords } from './tools.ts';

const HostsPage = lazy(async () => (await import('./operator/hosts-page.tsx')).HostsPage);
const MerchantPage = lazy(async () => (await import('./operator/merchant-page.tsx')).MerchantPage);
const MerchantsPage = lazy(async () => (await import('./operator/merchants-page.tsx')).MerchantsPage);
const ServicePage = lazy(async () => (await import('./operator/service-page.tsx')).ServicePage);
const SigningKeysPage = lazy(async () => (await import('./operator/signing-keys-page.tsx')).SigningKeysPage);
const CopiesPage = lazy(async () => (await import('./copies/copies-page.tsx')).CopiesPage);
const EvidencePage = lazy(async () => (await import('./account/evidence-page.tsx')).EvidencePage);
const WithdrawalsPage = lazy(async () => (await import('./account/withdrawals-page.tsx')).WithdrawalsPage);
const WebhookPage = lazy(async () => (await import('./webhooks/webhook-page.tsx')).WebhookPage);
const WebhooksPage = lazy(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage);
const SettingsPage = lazy(async () => (await import('./stores/settings-page.tsx')).SettingsPage);
const GuidePage = lazy(async () => (await import('./guide/guide-page.tsx')).GuidePage);
const ProductPage = lazy(async () => (await import('./products/product-page.tsx')).ProductPage);
const ImagesPage = lazy(async () => (await import('./health/images-page.tsx')).ImagesPage);
const PagesPage = lazy(async () => (await import('./sweeps/pages-page.tsx')).PagesPage);

/** The console: the sign-in, or the page at the current address. */
export function App() {
  const state = useSessionState();
  const { session } = useTools();
  const words = useWords();
  const { path } = usePlace();
  if (state.kind === 'asking')
    return (
      <ConsoleFrame route={undefined}>
        <Waiting text={words.session.asking} />
      </ConsoleFrame>
    );
  if (state.kind === 'unreachable')
    return (
      <ConsoleFrame route={undefined}>
        <h1>{words.title}</h1>
        <ErrorNotice error={state.error} again={() => void session.start()} />
      </ConsoleFrame>
    );
  if (state.kind === 'out')
    return (
      <ConsoleFrame route={undefined}>
        <SignInPage />
      </ConsoleFrame>
    );
  const route = routeOf(path);
  return (
    <>
      <ConsoleFrame route={route}>
        {/* another page is remounted; a changed filter of the same page is not */}
        <div class="page" key={path}>
          {route === undefined || !isThere(route.page) ? <UnknownPage /> : pageOf(route)}
        </div>
      </ConsoleFrame>
      {state.kind === 'ended' ? <SignInAgain /> : null}
    </>
  );
}

function pageOf(route: Route): ComponentChildren {
  switch (route.page) {
    case 'home':
      return <HomePage />;
    case 'newStore':
      return <NewStorePage />;
    case 'store':
      return <OverviewPage {...route.params} />;
    case 'guide':
      return <GuidePage {...route.params} />;
    case 'products':
      return <ProductsPage {...route.params} />;
    case 'product':
      return <ProductPage {...route.params} />;
    case 'images':
      return <ImagesPage {...route.params} />;
    case 'pages':
      return <PagesPage {...route.params} />;
    case 'copies':
      return <CopiesPage {...route.params} />;
    case 'settings':
      return <SettingsPage {...route.params} />;
    case 'keys':
      return <KeysPage />;
    case 'webhooks':
      return <WebhooksPage />;
    case 'webhook':
      return <WebhookPage {...route.params} />;
    case 'activity':
      return <ActivityPage />;
    case 'withdrawals':
      return <WithdrawalsPage />;
    case 'evidence':
      return <EvidencePage />;
    case 'operator':
      return <ServicePage />;
    case 'merchants':
      return <MerchantsPage />;
    case 'merchant':
      return <MerchantPage {...route.params} />;
    case 'signingKeys':
      return <SigningKeysPage />;
    case 'hosts':
      return <HostsPage />;
  }
}

function UnknownPage() {
  const { unknownPage } = useWords();
  return (
    <Page title={unknownPage.title}>
      <p>{unknownPage.body}</p>
      <p>
        <a href={href('home', {})}>{unknownPage.home}</a>
      </p>
    </Page>
  );
}
