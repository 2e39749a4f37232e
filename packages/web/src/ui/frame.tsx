import type { ComponentChildren } from 'preact';
import { LanguageChoice } from './language-choice.tsx';
import { hasPart } from './page-data.ts';
import { useTexts } from './text.tsx';

/** Header and footer of every page. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { common } = useTexts();
  const { nav } = common;
  return (
    <>
      <a class="skip" href="#content">
        {common.skip}
      </a>
      <header class="site">
        <a class="brand" href="/" aria-label={common.home}>
          <Mark />
          <span>Touchstone</span>
        </a>
        <nav aria-label={nav.label}>
          <NavLink href="/" also="/check" label={nav.check} />
          <NavLink href="/verify" label={nav.verify} />
          {hasPart('console') ? <NavLink href="/console" label={nav.console} /> : null}
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="site">
        <p>{common.about}</p>
        <p>
          <a href="/docs">{nav.docs}</a> · <a href="/downloads">{nav.downloads}</a>
        </p>
        <LanguageChoice />
      </footer>
    </>
  );
}

function NavLink({ href, also, label }: { href: string; also?: string; label: string }) {
  const { pathname } = location;
  const isHere = pathname === href || pathname === also || (href !== '/' && pathname.startsWith(`${href}/`));
  return (
    <a href={href} aria-current={isHere ? 'page' : undefined}>
      {label}
    </a>
  );
}

/** The logo: a dark stone with a streak of gold. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path class="stone" d="M4 5.5 14 2l7 5-1.5 12L9 22 2.5 15z" />
      <path class="streak" d="m8 16 8.5-8.5" />
    </svg>
  );
}
