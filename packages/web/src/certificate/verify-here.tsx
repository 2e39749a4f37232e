import type { ProofKind } from '@touchstone/certificate';
import type { ProfileVerification } from '@touchstone/certificate/verify';
import { useRef, useState } from 'preact/hooks';
import { LogFact } from '../report/log.tsx';
import { WithdrawalFact } from '../report/withdrawal.tsx';
import { Fill, fill, Moment, plural, Untrusted, useSetting } from '../ui/text.tsx';
import type { OwnKeys } from '../verify/own-keys.ts';

interface VerifyHereProps {
  readonly document: object;
  readonly kind: ProofKind;
  /** The `iss` claim of the proof. */
  readonly issuer: string;
  /** Address of the page for which it was signed, according to the certificate. */
  readonly pageUrl?: string | undefined;
}

type State =
  | { readonly kind: 'idle' | 'running' }
  | { readonly kind: 'done'; readonly keys: OwnKeys; readonly result: ProfileVerification }
  | { readonly kind: 'failed'; readonly code: string };

/** The checks of the certificate itself, independent of where it was found. */
const STEPS = ['signatureValid', 'certificateIntegrity', 'timestampValid'] as const;

/** Verifies the certificate of this page with the SDK, in this browser, and shows each step. */
export function VerifyHere({ document, kind, issuer, pageUrl }: VerifyHereProps) {
  const { here: words } = useSetting().texts.certificate;
  const [state, setState] = useState<State>({ kind: 'idle' });
  const outcome = useRef<HTMLDivElement>(null);
  const run = async () => {
    setState({ kind: 'running' });
    const { verifyHere } = await import('./run-here.ts');
    setState(await verifyHere(document, kind, issuer));
    outcome.current?.focus();
  };
  return (
    <section class="verify-here" aria-labelledby="verify-here">
      <h2 id="verify-here">{words.title}</h2>
      <p>{words.intro}</p>
      <p>
        <button type="button" class="button primary" disabled={state.kind === 'running'} onClick={run}>
          {state.kind === 'idle' ? words.run : state.kind === 'running' ? words.running : words.again}
        </button>
      </p>
      <div ref={outcome} tabIndex={-1} aria-live="polite">
        {state.kind === 'done' ? <Steps keys={state.keys} result={state.result} /> : null}
        {state.kind === 'failed' ? <Failure code={state.code} /> : null}
        {state.kind === 'done' ? (
          <p>
            {words.notHere}{' '}
            {pageUrl === undefined ? null : (
              <a href={`/check?url=${encodeURIComponent(pageUrl)}`}>{words.checkPage}</a>
            )}
          </p>
        ) : null}
      </div>
    </section>
  );
}

function Failure({ code }: { code: string }) {
  const { certificate, cannotVerify } = useSetting().texts;
  const sentences: Readonly<Record<string, string>> = cannotVerify;
  return (
    <div class="notice" data-tone="caution">
      <p>
        <strong>{certificate.here.unknown}</strong> {sentences[code] ?? <Untrusted text={code} />}
      </p>
    </div>
  );
}

function Steps({ keys, result }: { keys: OwnKeys; result: ProfileVerification }) {
  const { language, texts } = useSetting();
  const { here: words } = texts.certificate;
  const { names, passed, failed, notRun } = texts.report.checks;
  const reasons: Readonly<Record<string, string>> = texts.reasons;
  const { status } = result.withdrawal ?? {};
  const isTakenBack = status === 'invalid' || status === 'suspended';
  const isSound =
    !isTakenBack &&
    result.log?.status !== 'invalid' &&
    STEPS.every((name) => result.checks[name].result === true);
  return (
    <>
      <p class="here-outcome" data-sound={isSound}>
        <strong>{isSound ? words.sound : words.unsound}</strong>
      </p>
      <ol class="here-steps">
        <li data-state="passed">
          {words.keys}:{' '}
          <Fill
            text={plural(language, words.keysFound, keys.count)}
            values={{ when: <Moment at={keys.at.toISOString()} /> }}
          />
        </li>
        {STEPS.map((name) => {
          const { result: outcome, reason } = result.checks[name];
          const word = outcome === null ? notRun : outcome ? passed : failed;
          return (
            <li
              key={name}
              data-check={name}
              data-state={outcome === null ? 'not-run' : outcome ? 'passed' : 'failed'}
            >
              {names[name]}: <strong>{word}</strong>
              {outcome === true ? null : <p>{reasons[reason] ?? reason}</p>}
            </li>
          );
        })}
      </ol>
      <WithdrawalFact withdrawal={result.withdrawal} />
      <LogFact log={result.log} />
      <p class="small">{fill(words.by, { verifier: result.verifier })}</p>
    </>
  );
}
