import { useWords } from '../tools.ts';
import { Dialog } from './dialog.tsx';
import { Copyable } from './display.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly body: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret, once. It can only be closed by confirming that it was copied. */
export function SecretDialog({ title, body, secret, onClose }: SecretDialogProps) {
  const { keys } = useWords();
  return (
    <Dialog title={title}>
      <p>{body}</p>
      <p>
        <Copyable isBlock text={secret} label={title} />
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          {keys.done}
        </button>
      </div>
    </Dialog>
  );
}
