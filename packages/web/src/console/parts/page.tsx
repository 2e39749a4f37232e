import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../tools.ts';

interface PageProps {
  readonly title: string;
  /** Above the title: the store or merchant it belongs to. */
  readonly of?: ComponentChildren;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One page of the console: its heading gets the focus after navigation from another page. */
export function Page({ title, of, intro, actions, children }: PageProps) {
  const words = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.title}`;
  }, [title, words]);
  useEffect(() => {
    // on the first page of a visit, the browser itself starts at the top
    if (document.documentElement.dataset.moved === 'yes') heading.current?.focus();
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          {of === undefined ? null : <p class="page-of">{of}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro === undefined ? null : <p class="lead">{intro}</p>}
        </div>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
