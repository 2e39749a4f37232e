import { Dialog } from '../parts/dialog.tsx';
import { Copyable } from '../parts/display.tsx';
import { useWords } from '../tools.ts';

/** Shows the secret of a webhook, once. It can only be closed by confirming that it was copied. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { webhooks: words, keys } = useWords();
  return (
    <Dialog title={words.secret}>
      <p>{words.secretBody}</p>
      <p>
        <Copyable isBlock text={secret} label={words.secret} />
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          {keys.done}
        </button>
      </div>
    </Dialog>
  );
}
