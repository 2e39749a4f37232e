import { useEffect, useRef, useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { fill } from '../../ui/text.tsx';
import { useAction } from '../loading.ts';
import { Bar } from '../parts/display.tsx';
import { CheckField, RadioField, TextField } from '../parts/fields.tsx';
import { Form, Submit } from '../parts/form.tsx';
import { ErrorNotice, Notice, Waiting } from '../parts/notices.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';
import { type FileProgress, importFile } from './import-file.ts';
import { ImportFailure, RowProblems } from './import-problems.tsx';
import type { StepProps } from './step-props.ts';
import { hasEnded, useImport } from './use-import.ts';

/** Imports the list of products: from the shop, or from a file. */
export function ProductsStep(props: StepProps) {
  const { guide } = useWords();
  const words = guide.products;
  const { count } = useFormat();
  const [from, choose] = useState<'live' | 'file'>(hasPart('sources') ? 'live' : 'file');
  const { products } = props.setup;
  return (
    <>
      <p>{words.body}</p>
      {products === 0 ? null : <p>{count(words.already, products)}</p>}
      {hasPart('sources') ? (
        <RadioField
          legend={words.how}
          value={from}
          onValue={choose}
          options={[
            { value: 'live', label: words.live, hint: words.liveHint },
            { value: 'file', label: words.file, hint: words.fileHint },
          ]}
        />
      ) : null}
      {from === 'live' ? <LiveImport {...props} /> : <FileImport {...props} />}
    </>
  );
}

function LiveImport({ store, setup, onChange }: StepProps) {
  const { client } = useTools();
  const { guide, newStore } = useWords();
  const words = guide.products;
  const [url, setUrl] = useState(store.url);
  const [again, readAgain] = useState(false);
  const [isAsked, ask] = useState(false);
  const last = setup.lastImport;
  const [importId, follow] = useState(last !== undefined && !hasEnded(last) ? last.id : undefined);
  const address = webAddress(url);
  const action = useAction(async () => {
    const params = { store_id: store.id };
    const body = { url: address?.href ?? '' };
    const { id } = await client.call('createImport', { params, body });
    follow(id);
    if (again)
      await client.call('putStoreSource', { params, body: { ...body, everyHours: 24, prune: 'cautious' } });
  });
  const submit = () => {
    ask(true);
    if (address !== undefined) void action.run();
  };
  return (
    <>
      <Form action={action} label={words.start} onSubmit={submit}>
        <TextField
          label={words.address}
          value={url}
          onValue={setUrl}
          inputMode="url"
          wrong={isAsked && address === undefined ? newStore.urlWrong : undefined}
        />
        <CheckField label={words.again} hint={words.againHint} checked={again} onValue={readAgain} />
      </Form>
      {importId === undefined ? null : <ImportProgress importId={importId} onEnd={onChange} />}
    </>
  );
}

function ImportProgress({ importId, onEnd }: { importId: string; onEnd: () => void }) {
  const { guide } = useWords();
  const words = guide.products;
  const { announce } = useTools();
  const { count, number } = useFormat();
  const { value, error } = useImport(importId);
  const ended = value !== undefined && hasEnded(value);
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (!ended || value === undefined) return;
    announce(value.state === 'done' ? count(words.done, inOf(value)) : words.failed);
    latest.current();
    // announced once, at the end
  }, [ended]);
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (value === undefined || value.state === 'waiting')
    return (
      <>
        <Bar label={words.waiting} done={0} total={undefined} />
        {value?.failure === undefined ? null : <ImportFailure failure={value.failure} />}
      </>
    );
  const { total, done, failure, problems } = value;
  const label =
    total === undefined
      ? count(words.progress, done)
      : count(words.progressOf, done, { total: number(total) });
  return (
    <>
      {ended ? null : (
        <Bar
          label={`${label} · ${fill(words.perSecond, { rate: number(value.perSecond) })}`}
          done={done}
          total={total}
        />
      )}
      {value.state === 'done' ? <Ended counts={value} /> : null}
      {value.state === 'failed' ? (
        <Notice tone="bad" title={words.failed}>
          {failure === undefined ? null : <ImportFailure failure={failure} />}
          <p class="next-step">{words.failedNext}</p>
        </Notice>
      ) : null}
      <RowProblems problems={problems} failed={value.failed} />
    </>
  );
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly revived?: number;
}

function inOf({ created, updated, unchanged, revived = 0 }: Counts): number {
  return created + updated + unchanged + revived;
}

function Ended({ counts }: { counts: Counts }) {
  const { guide } = useWords();
  const words = guide.products;
  const { count, number } = useFormat();
  const { created, updated, unchanged, revived = 0 } = counts;
  return (
    <Notice tone="good" title={count(words.done, inOf(counts))}>
      <p>
        {fill(words.counts, {
          created: number(created + revived),
          updated: number(updated),
          unchanged: number(unchanged),
        })}
      </p>
    </Notice>
  );
}

function FileImport({ store, onChange }: StepProps) {
  const { client, announce } = useTools();
  const { guide, required } = useWords();
  const words = guide.products;
  const { count } = useFormat();
  const [file, setFile] = useState<File>();
  const [isAsked, ask] = useState(false);
  const [progress, tell] = useState<FileProgress>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const action = useAction(async () => {
    if (file === undefined) return;
    stop.current = new AbortController();
    const { signal } = stop.current;
    tell(undefined);
    await importFile({ client, storeId: store.id, storeUrl: store.url, file, onProgress: tell, signal });
    onChange();
  });
  useEffect(() => {
    if (progress?.isDone === true) announce(count(words.done, inOf(progress)));
  }, [progress?.isDone]);
  const submit = (event: Event) => {
    event.preventDefault();
    ask(true);
    if (file !== undefined) void action.run();
  };
  const isWrong = isAsked && file === undefined;
  return (
    <form onSubmit={submit} noValidate>
      <div class="field">
        <label for="catalogue">{words.chooseFile}</label>
        <input
          id="catalogue"
          type="file"
          accept=".csv,.tsv,.txt,.xml,.json,.ndjson,.gz"
          aria-invalid={isWrong ? 'true' : undefined}
          aria-describedby={isWrong ? 'catalogue-wrong' : undefined}
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        {isWrong ? (
          <p class="wrong" id="catalogue-wrong" role="alert">
            {required}
          </p>
        ) : null}
      </div>
      <ErrorNotice error={action.error} />
      <Submit label={words.start} isBusy={action.isBusy} />
      {action.isBusy && progress === undefined ? (
        <Waiting text={fill(words.reading, { file: file?.name ?? '' })} />
      ) : null}
      {progress === undefined ? null : <FileOutcome progress={progress} />}
    </form>
  );
}

function FileOutcome({ progress }: { progress: FileProgress }) {
  const { guide } = useWords();
  const words = guide.products;
  const { count } = useFormat();
  const label = count(words.progress, inOf(progress) + progress.failed);
  return (
    <>
      {progress.isDone ? null : <Bar label={label} done={progress.readBytes} total={progress.bytes} />}
      {!progress.isDone ? null : inOf(progress) > 0 ? (
        <Ended counts={progress} />
      ) : (
        <Notice tone="bad" title={words.empty}>
          <p class="next-step">{words.emptyNext}</p>
        </Notice>
      )}
      <RowProblems problems={progress.problems} failed={progress.failed} />
    </>
  );
}
