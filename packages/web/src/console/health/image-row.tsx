import type { ImageReport, ImageState } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { Untrusted, UntrustedLink, useSetting } from '../../ui/text.tsx';
import { At, type Standing, State } from '../parts/display.tsx';
import { useFormat, useWords } from '../tools.ts';

const STANDINGS: Readonly<Record<ImageState, Standing>> = {
  waiting: 'working',
  failed: 'bad',
  no_image: 'off',
  certified: 'good',
  not_served: 'open',
  no_manifest: 'open',
  manifest_remote: 'open',
  manifest_invalid: 'bad',
  issued_to_another_store: 'bad',
  damaged: 'bad',
};

interface ImageRowProps {
  readonly image: ImageReport;
  readonly onRetry: () => void;
  /** Shown below the address: its product, or a link. */
  readonly children: ComponentChildren;
  /** Shown beside it, below its state. */
  readonly action?: ComponentChildren;
}

/** An image with its state; if it is not certified, with the reason and what to do. */
export function ImageRow({ image, onRetry, children, action }: ImageRowProps) {
  const { images: words } = useWords();
  const { texts, language } = useSetting();
  const { count } = useFormat();
  const { url, state, problem, manifestFailures = [], signedFile } = image;
  const isWell = state === 'certified' || state === 'waiting';
  const sentences: Readonly<Record<string, { readonly sentence: string; readonly nextStep: string }>> =
    texts.images;
  const own = problem === undefined ? undefined : sentences[problem.code];
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <UntrustedLink url={url} label={shortOf(url)} />
        </span>
        <span class="row-detail">{children}</span>
        {problem === undefined ? null : (
          <>
            <p lang={own === undefined && language !== 'en' ? 'en' : undefined}>
              {own?.sentence ?? problem.message}
            </p>
            <p class="next-step" lang={own === undefined && language !== 'en' ? 'en' : undefined}>
              <strong>{words.nextStep}: </strong>
              {own?.nextStep ?? problem.nextStep}
            </p>
            <p class="hint">
              {count(words.attempts, problem.attempts)}
              {problem.nextAttemptAt === undefined ? null : ' · '}
              <At text={words.nextAttempt} at={problem.nextAttemptAt} />
            </p>
          </>
        )}
        {problem !== undefined || isWell ? null : (
          <p class="next-step">
            <strong>{words.nextStep}: </strong>
            {words.next[state]}
          </p>
        )}
        {manifestFailures.length === 0 ? null : (
          <p class="hint">
            <code>
              <Untrusted text={manifestFailures.join(', ')} />
            </code>
          </p>
        )}
      </div>
      <div class="row-side">
        <State standing={STANDINGS[state]} label={words.states[state]} />
        {signedFile === undefined || state !== 'not_served' ? null : (
          <a href={signedFile.url} download="">
            {words.signedFile}
          </a>
        )}
        {problem === undefined ? null : (
          <button type="button" class="button small" onClick={onRetry}>
            {words.retryOne}
          </button>
        )}
        {action}
      </div>
    </li>
  );
}

/** The end of the address, which distinguishes images. */
function shortOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.host}/…/${parsed.pathname.split('/').at(-1) ?? ''}`;
}
