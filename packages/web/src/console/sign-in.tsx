import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError } from './call-error.ts';
import { useAction } from './loading.ts';
import { Dialog } from './parts/dialog.tsx';
import { CheckField, TextField } from './parts/fields.tsx';
import { Submit } from './parts/form.tsx';
import { ErrorNotice } from './parts/notices.tsx';
import { useTools, useWords } from './tools.ts';

/** The sign-in page. */
export function SignInPage() {
  const words = useWords();
  const { session } = words;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${session.title} · Touchstone`;
    if (document.documentElement.dataset.moved === 'yes') heading.current?.focus();
  }, [session]);
  return (
    <div class="sign-in">
      <h1 ref={heading} tabIndex={-1}>
        {session.title}
      </h1>
      <p class="lead">{session.intro}</p>
      <SignInForm />
      <p class="hint">{session.noKey}</p>
    </div>
  );
}

/** The sign-in dialog after a session ended during work: the page below keeps its content. */
export function SignInAgain() {
  const { session: words } = useWords();
  const { session } = useTools();
  return (
    <Dialog title={words.ended}>
      <p>{words.endedBody}</p>
      <SignInForm />
      <p>
        <button type="button" class="button quiet" onClick={() => void session.signOut(false)}>
          {words.leave}
        </button>
      </p>
    </Dialog>
  );
}

function SignInForm() {
  const words = useWords();
  const { session } = useTools();
  const [key, setKey] = useState('');
  const [isShown, show] = useState(false);
  const [isEmpty, tellEmpty] = useState(false);
  const action = useAction(async () => {
    await session.signIn(key.trim());
    setKey('');
  });
  const submit = (event: Event) => {
    event.preventDefault();
    tellEmpty(key.trim() === '');
    if (key.trim() !== '') void action.run();
  };
  const isWrong = action.error instanceof CallError && action.error.code === 'credentials_invalid';
  const wrong = isEmpty ? words.required : isWrong ? words.session.wrong : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={words.session.key}
        value={key}
        onValue={setKey}
        type={isShown ? 'text' : 'password'}
        autocomplete="current-password"
        wrong={wrong}
      />
      <CheckField label={words.session.show} checked={isShown} onValue={show} />
      <ErrorNotice error={isWrong ? undefined : action.error} />
      <Submit label={words.session.signIn} isBusy={action.isBusy} />
    </form>
  );
}
