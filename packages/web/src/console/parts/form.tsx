import type { ComponentChildren } from 'preact';
import type { Action } from '../loading.ts';
import { useWords } from '../tools.ts';
import { ErrorNotice } from './notices.tsx';

interface FormProps {
  readonly class?: string;
  readonly action: Pick<Action<[]>, 'isBusy' | 'error'>;
  /** Of the submit button. */
  readonly label: string;
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** Fields, the error of the action, and the submit button. */
export function Form({ class: name, action, label, onSubmit, children }: FormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class={name} onSubmit={submit} noValidate>
      {children}
      <ErrorNotice error={action.error} />
      <Submit label={label} isBusy={action.isBusy} />
    </form>
  );
}

/** The submit button of a form; it stays focusable while the form is being submitted. */
export function Submit({ label, isBusy }: { label: string; isBusy: boolean }) {
  const words = useWords();
  return (
    <button type="submit" class="button primary" aria-disabled={isBusy}>
      {isBusy ? words.working : label}
    </button>
  );
}

interface ActionProps extends Pick<Action<[]>, 'isBusy' | 'run'> {
  readonly label: string;
  readonly isSmall?: boolean;
}

/** A button that runs an action; it stays focusable meanwhile. */
export function ActionButton({ label, isBusy, run, isSmall = false }: ActionProps) {
  return (
    <button
      type="button"
      class={isSmall ? 'button small' : 'button'}
      aria-disabled={isBusy}
      onClick={() => void run()}
    >
      {label}
    </button>
  );
}
