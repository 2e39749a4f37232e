import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fill, Untrusted, useSetting, useTexts } from '../../ui/text.tsx';
import type { CallError, Fault } from '../call-error.ts';
import type { Loaded } from '../loading.ts';
import { useFormat, useWords } from '../tools.ts';
import { CodeSentence } from './reason.tsx';

type Tone = 'neutral' | 'good' | 'caution' | 'bad';

export function Notice({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="notice" data-tone={tone}>
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

/** The error of a call, if it failed: the service's sentence, each validation error, and the request id in its log. */
export function ErrorNotice({
  error,
  again,
}: {
  error: CallError | undefined;
  again?: (() => void) | undefined;
}) {
  const words = useWords();
  const { count } = useFormat();
  if (error === undefined) return null;
  const { retryAfter, requestId, faults } = error;
  return (
    <div class="notice" data-tone="bad" role="alert">
      <p class="notice-title">{words.errors.title}</p>
      <Sentence error={error} />
      {faults.length === 0 ? null : (
        <ul>
          {faults.map((fault, index) => (
            <li key={index}>
              <FaultSentence fault={fault} />
            </li>
          ))}
        </ul>
      )}
      {retryAfter === undefined ? null : <p>{count(words.errors.wait, retryAfter)}</p>}
      {requestId === undefined ? null : (
        <p class="small">
          <Untrusted text={fill(words.requestId, { id: requestId })} />
        </p>
      )}
      {again === undefined ? null : (
        <p>
          <button type="button" class="button" onClick={again}>
            {words.again}
          </button>
        </p>
      )}
    </div>
  );
}

function Sentence({ error }: { error: CallError }) {
  const words = useWords();
  const { texts, language } = useSetting();
  const { kind, code, status, message } = error;
  if (kind === 'unreachable') return <p>{words.errors.unreachable}</p>;
  // its faults are listed one by one
  if (code === 'validation_failed') return <p>{words.errors.refused}</p>;
  if (kind === 'unexpected') return <p>{fill(words.errors.unexpected, { what: message })}</p>;
  const faults: Readonly<Record<string, string>> = texts.faults;
  const general = code === undefined || language === 'en' ? undefined : faults[code];
  return (
    <>
      {general === undefined ? null : <p>{general}</p>}
      {general === undefined ? (
        <p lang={language === 'en' ? undefined : 'en'}>
          <Untrusted text={message} />
        </p>
      ) : (
        <Specific message={message} />
      )}
      {status === 404 ? <p>{words.errors.notYours}</p> : null}
    </>
  );
}

/** The service's own sentence, in English, if it says more than that of its code, which is shown in the user's language. */
function Specific({ message }: { message: string }) {
  const [sentences, know] = useState<readonly string[]>();
  useEffect(() => {
    let isGone = false;
    import('@touchstone/contract/error-codes').then(
      ({ ERROR_CODES }) => isGone || know(Object.values(ERROR_CODES)),
      () => isGone || know([]),
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (sentences === undefined || sentences.includes(message)) return null;
  return (
    <p lang="en">
      <Untrusted text={message} />
    </p>
  );
}

function FaultSentence({ fault: { loc, msg, type = '' } }: { fault: Fault }) {
  const { rowFaults } = useTexts();
  const field = loc.filter((part) => part !== 'body').join('.');
  // of a fault that covers many, only the service's sentence is specific
  const code = type === 'value_error' ? '' : type;
  return (
    <CodeSentence
      code={code}
      sentences={rowFaults}
      field={field}
      said={field === '' ? msg : `${field}: ${msg}`}
    />
  );
}

/** Data of the service: shown when loaded, before that a note or the error. */
export function Shown<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const words = useWords();
  const { value, error, reload } = of;
  return (
    <>
      <ErrorNotice error={error} again={error?.status === 404 ? undefined : reload} />
      {value !== undefined ? children(value) : error === undefined ? <Waiting text={words.loading} /> : null}
    </>
  );
}

export function Waiting({ text }: { text: string }) {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  );
}

/** An empty view, and what to do about it. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children === undefined ? null : <p>{children}</p>}
      {action === undefined ? null : <p class="empty-action">{action}</p>}
    </div>
  );
}
