import { useEffect, useRef, useState } from 'preact/hooks';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import type { Given, Verifier } from './use-verifier.ts';

/** Accepts text that is pasted or typed, and files that are opened, pasted, or dropped anywhere on the page. */
export function DropZone({ verifier }: { verifier: Verifier }) {
  const { drop: words } = useTexts().verify;
  const { takeText, takeFiles, given } = verifier;
  const [isOver, setOver] = useState(false);
  const [text, setText] = useState('');
  const opener = useRef<HTMLInputElement>(null);
  const take = useRef(takeFiles);
  take.current = takeFiles;
  useEffect(() => onFilesOfPage(setOver, (files) => void take.current(files)), []);
  return (
    <section class="drop-zone" data-over={isOver}>
      <label for="paste">{words.label}</label>
      <textarea
        id="paste"
        rows={5}
        spellcheck={false}
        autocomplete="off"
        dir="auto"
        aria-describedby="paste-hint"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          takeText(currentTarget.value);
        }}
      />
      <p id="paste-hint" class="small">
        {words.hint}
      </p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => opener.current?.click()}>
          {words.open}
        </button>
        {text === '' && given.subject === null && given.picture === null ? null : (
          <button
            type="button"
            class="button"
            onClick={() => {
              setText('');
              verifier.clear();
              // this button disappears
              document.getElementById('paste')?.focus();
            }}
          >
            {words.clear}
          </button>
        )}
        <span class="small">{isOver ? words.over : words.orDrop}</span>
      </div>
      <input
        ref={opener}
        class="hidden-file"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={words.open}
        accept="image/*,.html,.htm,.mhtml,.mht,.json,.jsonld,.jwt,.txt"
        onChange={({ currentTarget }) => {
          void takeFiles([...(currentTarget.files ?? [])]);
          // the same file can be opened again
          currentTarget.value = '';
        }}
      />
      <Refused nothing={text === '' && given.nothing === 'empty' ? null : given.nothing} />
    </section>
  );
}

/** Why the input cannot be verified. */
function Refused({ nothing }: { nothing: Given['nothing'] }) {
  const { nothing: words } = useTexts().verify;
  if (nothing === null) return <div role="status" />;
  if (typeof nothing === 'string') {
    return (
      <p role="status" class="fault" data-why={nothing}>
        {words[nothing]}
      </p>
    );
  }
  return (
    <p role="status" class="fault" data-why="address">
      {words.address}{' '}
      <a href={`/check?url=${encodeURIComponent(nothing.address)}`}>
        <Fill text={words.checkOnline} values={{ url: <Untrusted text={nothing.address} /> }} />
      </a>
    </p>
  );
}

/** Accepts files on the whole page. @returns a function that ends that */
function onFilesOfPage(
  setOver: (isOver: boolean) => void,
  take: (files: Iterable<File>) => void,
): () => void {
  const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') === true;
  const onDrag = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setOver(event.type !== 'dragleave' || event.relatedTarget !== null);
  };
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    // otherwise the browser would replace this page by the file
    event.preventDefault();
    setOver(false);
    take([...(event.dataTransfer?.files ?? [])]);
  };
  const onPaste = ({ clipboardData }: ClipboardEvent) => {
    const files = [...(clipboardData?.files ?? [])];
    if (files.length > 0) take(files);
  };
  addEventListener('dragover', onDrag);
  addEventListener('dragleave', onDrag);
  addEventListener('drop', onDrop);
  addEventListener('paste', onPaste);
  return () => {
    removeEventListener('dragover', onDrag);
    removeEventListener('dragleave', onDrag);
    removeEventListener('drop', onDrop);
    removeEventListener('paste', onPaste);
  };
}
