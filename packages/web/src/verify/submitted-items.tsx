import { fill, localeOf, Untrusted, useSetting } from '../ui/text.tsx';
import type { Subject, Verifier } from './use-verifier.ts';

/** The recognised inputs, each with a button to remove it. */
export function SubmittedItems({ verifier: { given, remove } }: { verifier: Verifier }) {
  const { language, texts } = useSetting();
  const { given: words } = texts.verify;
  const { subject, picture } = given;
  if (subject === null && picture === null) return null;
  const size = (bytes: number) =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'unit',
      unit: 'kilobyte',
      maximumFractionDigits: 0,
    }).format(Math.max(1, bytes / 1000));
  return (
    <section class="given" aria-labelledby="given">
      <h2 id="given">{words.title}</h2>
      <ul>
        {subject === null ? null : (
          <li data-given={subject.kind}>
            <span>{nameOf(subject, words)}</span>
            <RemoveButton what={nameOf(subject, words)} onClick={() => remove('subject')} />
          </li>
        )}
        {picture === null ? null : (
          <li data-given="picture">
            <span>
              {fill(words.picture, { size: size(picture.bytes.length) })} · <Untrusted text={picture.name} />
            </span>
            <RemoveButton
              what={fill(words.picture, { size: size(picture.bytes.length) })}
              onClick={() => remove('picture')}
            />
          </li>
        )}
      </ul>
    </section>
  );
}

function nameOf(subject: Subject, words: ReturnType<typeof useSetting>['texts']['verify']['given']): string {
  if (subject.kind === 'page') return words.page;
  return subject.kind === 'proof' ? words.proof[subject.certificate] : words[subject.certificate];
}

function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  const { given: words } = useSetting().texts.verify;
  return (
    <button type="button" class="button icon" aria-label={fill(words.remove, { what })} onClick={onClick}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path d="m2 2 8 8m0-8-8 8" />
      </svg>
    </button>
  );
}
