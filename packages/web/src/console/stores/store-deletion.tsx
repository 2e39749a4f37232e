import type { Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { useAction } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { href } from '../routes.ts';
import { useTools, useWords } from '../tools.ts';

/** Deletes a store after its name was typed as confirmation. */
export function StoreDeletion({ store }: { store: Store }) {
  const { client, navigation } = useTools();
  const { settings: words } = useWords();
  const [typed, type] = useState('');
  const action = useAction(async () => {
    await client.call('deleteStore', { params: { store_id: store.id } });
    navigation.go(href('home', {}));
  });
  return (
    <section>
      <h2>{words.delete}</h2>
      <ConfirmButton
        class="button destructive"
        title={fill(words.deleteTitle, { name: store.name })}
        body={words.deleteBody}
        label={words.delete}
        isDestructive
        isReady={typed.trim() === store.name.trim()}
        action={action}
      >
        <TextField label={words.deleteName} value={typed} onValue={type} autocomplete="off" />
      </ConfirmButton>
    </section>
  );
}
