import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Action } from '../loading.ts';
import { useWords } from '../tools.ts';
import { ErrorNotice } from './notices.tsx';

interface DialogProps {
  readonly title: string;
  /** Absent: it cannot be closed by Escape. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** Open while it is mounted: the browser keeps the focus inside, and restores it afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => onClose?.()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly label: string;
  readonly isDestructive?: boolean;
  readonly isReady?: boolean;
  readonly action: Action<[]>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose'> {
  readonly class: string;
  /** If the label alone does not say what it is about. */
  readonly 'aria-label'?: string;
}

/** A button that asks for confirmation of what it says. */
export function ConfirmButton({ class: name, 'aria-label': ariaLabel, ...props }: ConfirmButtonProps) {
  const [isAsked, ask] = useState(false);
  return (
    <>
      <button type="button" class={name} aria-label={ariaLabel} onClick={() => ask(true)}>
        {props.label}
      </button>
      {isAsked ? <Confirm {...props} onClose={() => ask(false)} /> : null}
    </>
  );
}

/** Asks for confirmation; stays open with the error if the action failed. */
export function Confirm({
  title,
  body,
  label,
  isDestructive = false,
  isReady = true,
  action,
  onClose,
  children,
}: ConfirmProps) {
  const words = useWords();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isReady && (await action.run())) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{body}</p>
        {children}
        <ErrorNotice error={action.error} />
        <div class="actions">
          <button
            type="submit"
            class={isDestructive ? 'button destructive' : 'button primary'}
            aria-disabled={!isReady || action.isBusy}
          >
            {action.isBusy ? words.working : label}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
