import { useEffect, useRef } from 'preact/hooks';
import { useTexts } from '../ui/text.tsx';
import { DropZone } from './drop-zone.tsx';
import { OfflinePanel } from './offline-panel.tsx';
import { PictureResult } from './picture-result.tsx';
import { PlaceForm } from './place-form.tsx';
import { Details, Headline } from './result.tsx';
import { SubmittedItems } from './submitted-items.tsx';
import { TrustPanel } from './trust-panel.tsx';
import { useOffline } from './use-offline.ts';
import { useVerifier } from './use-verifier.ts';

/** The offline verifier: verifies the user's input in this browser. */
export function VerifyPage({ issuers }: { issuers: readonly string[] }) {
  const { verify: words } = useTexts();
  const verifier = useVerifier(issuers);
  const offline = useOffline();
  const { given, outcome, picture } = verifier;
  const verdict = useRef<HTMLDivElement>(null);
  const shown = useRef<unknown>(null);
  // only for the first input: nothing may move while an address is typed
  useEffect(() => {
    if (outcome.kind === 'none' || outcome.kind === 'judging' || shown.current === given.subject) return;
    shown.current = given.subject;
    verdict.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome.kind, given.subject]);
  return (
    <div
      class="verify-page"
      data-outcome={outcome.kind}
      data-picture={picture.kind}
      data-given={given.subject !== null || given.picture !== null}
    >
      <div class="intro">
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
      </div>
      {globalThis.isSecureContext ? null : (
        <p class="notice" data-tone="caution">
          {words.insecure}
        </p>
      )}
      <DropZone verifier={verifier} />
      {/* above the form, which is filled in after a first verdict: on a phone, anything below it would be out of view */}
      <div
        ref={verdict}
        tabIndex={-1}
        class="outcome-place"
        aria-live="polite"
        aria-atomic="true"
        aria-busy={outcome.kind === 'judging'}
      >
        <Headline
          outcome={outcome}
          savedFrom={given.subject?.kind === 'page' ? given.subject.savedFrom : undefined}
          onConfirm={(pageUrl) => {
            verifier.confirmPlace(pageUrl);
            // the pressed button disappears
            verdict.current?.focus();
          }}
        />
      </div>
      <SubmittedItems verifier={verifier} />
      {given.subject === null ? null : <PlaceForm verifier={verifier} />}
      <Details outcome={outcome} />
      {given.picture === null ? null : (
        <div class="outcome-place" aria-live="polite">
          <PictureResult
            outcome={picture}
            name={given.picture.name}
            isCompared={outcome.kind === 'judged' && outcome.withPicture}
            onRead={offline.noteEngine}
          />
        </div>
      )}
      <TrustPanel verifier={verifier} issuer={issuers[0] ?? ''} />
      <OfflinePanel offline={offline} />
    </div>
  );
}
