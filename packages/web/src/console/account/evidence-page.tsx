import type { Evidence } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill, UntrustedLink } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { At } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Notice, Shown, Waiting } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { tableState } from '../table-state.ts';
import { useCaller, useFormat, usePlace, useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

/** The pages that a merchant keeps as evidence: keeps another, downloads and deletes them. */
export function EvidencePage() {
  const { evidence: words } = useWords();
  const { role } = useCaller();
  return (
    <Page title={words.title} intro={words.intro}>
      {role === 'merchant' ? (
        <OwnEvidence />
      ) : (
        <Empty title={words.merchantsOnly}>{words.merchantsOnlyBody}</Empty>
      )}
    </Page>
  );
}

function OwnEvidence() {
  const { evidence: words } = useWords();
  const megabytes = useMegabytes();
  const loaded = useCall('listEvidence', {});
  return (
    <Shown of={loaded}>
      {({ evidence, bytes, quotaBytes }) =>
        quotaBytes === 0 && evidence.length === 0 ? (
          <Empty title={words.off}>{words.offBody}</Empty>
        ) : (
          <>
            <KeepForm onKept={loaded.reload} />
            <p class="hint">{fill(words.used, { used: megabytes(bytes), quota: megabytes(quotaBytes) })}</p>
            {evidence.length === 0 ? (
              <Empty title={words.none}>{words.noneBody}</Empty>
            ) : (
              <>
                <p>{words.whatIsIn}</p>
                <ol class="rows" aria-label={words.title}>
                  {evidence.map((one) => (
                    <Row key={one.id} evidence={one} onDeleted={loaded.reload} />
                  ))}
                </ol>
              </>
            )}
          </>
        )
      }
    </Shown>
  );
}

/** An id of a product (UUID). */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Filled in by links that lead here. */
function KeepForm({ onKept }: { onKept: () => void }) {
  const { client, announce } = useTools();
  const { evidence: words, guide } = useWords();
  const { moment } = useFormat();
  const given = tableState({ url: 'text', original: 'text' }, usePlace().search);
  const [url, setUrl] = useState(given.url ?? '');
  const [original, setOriginal] = useState(given.original ?? '');
  const [isAsked, ask] = useState(false);
  const address = webAddress(url);
  const id = original.trim();
  const isId = id === '' || ID.test(id);
  const [report, show] = useState<Awaited<ReturnType<typeof checked>>>();
  const checked = (page: string) =>
    client.call('checkPage', { body: { url: page, evidence: true, ...(id === '' ? {} : { original: id }) } });
  const keptUntil = ({ evidence }: Awaited<ReturnType<typeof checked>>) =>
    fill(words.kept, { time: moment(evidence?.expiresAt ?? '') });
  const keep = useAction(async () => {
    show(undefined);
    const made = await checked(address?.href ?? '');
    show(made);
    announce(keptUntil(made));
    onKept();
  });
  const submit = () => {
    ask(true);
    if (address !== undefined && isId) void keep.run();
  };
  return (
    <>
      <Form action={keep} label={words.keep} onSubmit={submit}>
        <h2>{words.add}</h2>
        <TextField
          label={words.url}
          wrong={isAsked && address === undefined ? words.urlWrong : undefined}
          value={url}
          onValue={setUrl}
          inputMode="url"
          autocomplete="off"
        />
        <TextField
          label={words.original}
          hint={words.originalHint}
          wrong={isAsked && !isId ? words.originalWrong : undefined}
          isOptional
          value={original}
          onValue={setOriginal}
          autocomplete="off"
        />
      </Form>
      {keep.isBusy ? <Waiting text={words.keeping} /> : null}
      {/* not what a shop can do about its own page: this is somebody else's */}
      {report === undefined ? null : (
        <Notice tone="good" title={keptUntil(report)}>
          <p>
            <a href={`/api/v1/mc4p/page-checks/${report.id}`}>{guide.pages.whole}</a>
          </p>
        </Notice>
      )}
    </>
  );
}

function Row({ evidence, onDeleted }: { evidence: Evidence; onDeleted: () => void }) {
  const { client, announce } = useTools();
  const { evidence: words } = useWords();
  const megabytes = useMegabytes();
  const verdicts: Readonly<Record<string, string>> = words.verdicts;
  const { id, url, verdict, bytes, createdAt, expiresAt } = evidence;
  const remove = useAction(async () => {
    await client.call('deleteEvidence', { params: { evidence_id: id } });
    announce(words.deleted);
    onDeleted();
  });
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <UntrustedLink url={url} />
        </span>
        <span class="row-detail">{verdicts[verdict] ?? verdict}</span>
        <span class="row-detail">
          <At text={words.at} at={createdAt} /> · <At text={words.until} at={expiresAt} /> ·{' '}
          {megabytes(bytes)}
        </span>
      </div>
      <div class="row-side">
        <a
          class="button small"
          href={`/api/v1/registry/evidence/${id}`}
          download={`evidence-${id}.zip`}
          aria-label={fill(words.downloadName, { url })}
        >
          {words.download}
        </a>
        <ConfirmButton
          class="button small"
          aria-label={fill(words.deleteName, { url })}
          title={words.deleteTitle}
          body={words.deleteBody}
          label={words.delete}
          isDestructive
          action={remove}
        />
      </div>
    </li>
  );
}

/** A size in the user's language, never 0 for something that is there. */
function useMegabytes(): (bytes: number) => string {
  const { locale } = useFormat();
  return (bytes) => {
    const isSmall = bytes > 0 && bytes < 1_000_000;
    return new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: isSmall ? 'kilobyte' : 'megabyte',
      maximumFractionDigits: isSmall ? 0 : 1,
    }).format(isSmall ? Math.max(1, bytes / 1_000) : bytes / 1_000_000);
  };
}
