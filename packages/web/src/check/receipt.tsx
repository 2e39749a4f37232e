import type { PageCheckAnswer } from '@touchstone/contract';
import { CopyButton } from '../ui/keep.tsx';
import { hasPart } from '../ui/page-data.ts';
import { useTexts } from '../ui/text.tsx';

interface ReceiptProps {
  readonly report: PageCheckAnswer;
  /** The service's address in certificates. */
  readonly baseUrl: string;
  /** Checks the page again, and has the answer signed. */
  readonly onAsk: () => void;
}

/** What the user can show to others: a receipt of the result; for merchants, the page itself. */
export function Receipt({ report, baseUrl, onAsk }: ReceiptProps) {
  const { check, common } = useTexts();
  const { receipt: words } = check;
  if (!hasPart('receipts')) return null;
  const command = `touchstone receipt verify ${nameOf(report)} --issuer ${baseUrl}`;
  return (
    <section class="keep" aria-labelledby="receipt">
      <h2 id="receipt">{words.title}</h2>
      <p>{words.what}</p>
      {report.receipt === undefined ? (
        <p>
          <button type="button" class="button" onClick={onAsk}>
            {words.get}
          </button>
        </p>
      ) : (
        <div data-receipt>
          <p>
            <button type="button" class="button primary" onClick={() => download(report)}>
              {words.download}
            </button>
          </p>
          <p>{words.how}</p>
          <p class="command">
            <code dir="ltr">{command}</code> <CopyButton text={async () => command}>{common.copy}</CopyButton>
          </p>
          <p class="small">{words.keysNote}</p>
        </div>
      )}
      {hasPart('console') ? (
        <p class="small">
          <a href={`/console/evidence?${new URLSearchParams({ url: report.url })}`}>{words.evidence}</a>
        </p>
      ) : null}
    </section>
  );
}

const nameOf = ({ id }: PageCheckAnswer) => `receipt-${id}.json`;

/** The answer as the receipt names it: its members and their values, in any form of JSON. */
function download(report: PageCheckAnswer): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' }),
  );
  Object.assign(document.createElement('a'), { href: url, download: nameOf(report) }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
