import type { ImageInspection } from '@touchstone/image/browser';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { FactList } from '../ui/fact-list.tsx';
import { fill, localeOf, Moment, nameOfFormat, Untrusted, useSetting } from '../ui/text.tsx';
import { Finding } from './finding.tsx';
import { ENGINE_BYTES } from './offline.ts';
import type { PictureOutcome } from './use-verifier.ts';

interface PictureResultProps {
  readonly outcome: PictureOutcome;
  readonly name: string;
  /** Whether its bytes were compared with a certificate. */
  readonly isCompared: boolean;
  readonly onRead: () => void;
}

/** The result of reading the bytes of an image. */
export function PictureResult({ outcome, isCompared, onRead }: PictureResultProps) {
  const { picture: words } = useSetting().texts.verify;
  useEffect(() => {
    if (outcome.kind === 'read') onRead();
  }, [outcome.kind]);
  return (
    <section class="picture-result" aria-labelledby="picture">
      <h2 id="picture">{words.title}</h2>
      {outcome.kind === 'loading' ? <Loading bytes={outcome.bytes} /> : null}
      {outcome.kind === 'reading' ? <p>{words.reading}</p> : null}
      {outcome.kind === 'failed' ? <Fault code={outcome.code} /> : null}
      {outcome.kind === 'read' ? (
        <>
          <Inspection inspection={outcome.inspection} />
          <p class="small">{isCompared ? words.compared : words.add}</p>
        </>
      ) : null}
    </section>
  );
}

function Loading({ bytes }: { bytes: number }) {
  const { language, texts } = useSetting();
  const { picture: words } = texts.verify;
  const megabytes = (count: number) =>
    new Intl.NumberFormat(localeOf(language), {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    }).format(count / 1e6);
  return (
    <>
      <p>{fill(words.loading, { done: megabytes(bytes), total: megabytes(ENGINE_BYTES) })}</p>
      <progress aria-label={words.progress} value={bytes} max={ENGINE_BYTES} />
    </>
  );
}

function Fault({ code }: { code: string }) {
  const { faults } = useSetting().texts.verify.picture;
  const sentences: Readonly<Record<string, string>> = faults;
  return (
    <p class="notice" data-tone="caution" data-code={code}>
      {sentences[code] ?? faults.engine}
    </p>
  );
}

function Inspection({ inspection }: { inspection: ImageInspection }) {
  const { language, texts } = useSetting();
  const { picture: words } = texts.verify;
  const { header, manifest, uhash, phash } = inspection;
  const tone = manifest.valid ? 'valid' : manifest.hasManifest ? 'invalid' : 'none';
  const { title, meaning } = words.tones[tone];
  const { signer } = manifest;
  const number = new Intl.NumberFormat(localeOf(language));
  const stated = (text: string | undefined) => (text === undefined ? undefined : <Untrusted text={text} />);
  const actionNames: Readonly<Record<string, string>> = words.actionNames;
  return (
    <>
      <Finding
        tone={manifest.valid ? 'good' : manifest.hasManifest ? 'bad' : 'neutral'}
        name={tone}
        title={title}
        meaning={meaning}
      />
      <FactList
        facts={[
          [
            words.signer,
            manifest.hasManifest ? (
              <>
                <Untrusted text={signer?.commonName ?? signer?.issuer ?? words.noSigner} />
                <p class="small">{words.trust}</p>
              </>
            ) : undefined,
          ],
          [words.time, signer?.time === undefined ? undefined : <Moment at={signer.time} />],
          [words.generator, stated(manifest.claimGenerator)],
          [words.titleOf, stated(manifest.title)],
          [
            words.actions,
            textsOf(
              manifest.actions.map(({ action }) =>
                Object.hasOwn(actionNames, action) ? (actionNames[action] ?? action) : action,
              ),
            ),
          ],
          [words.ingredients, textsOf(manifest.ingredients.map((one) => one.title ?? words.unnamed))],
          [words.failures, textsOf(manifest.failures.map(({ code }) => code))],
          [words.format, <Untrusted text={nameOfFormat(header.mediaType)} />],
          [
            words.size,
            fill(words.sizeValue, {
              width: number.format(header.width),
              height: number.format(header.height),
            }),
          ],
          [words.uhash, <Untrusted text={uhash} code />],
          [words.phash, phash === undefined ? undefined : <Untrusted text={phash} code />],
        ]}
      />
    </>
  );
}

/** Untrusted texts from the image; `undefined` if there are none. */
function textsOf(texts: readonly string[]): ComponentChildren {
  if (texts.length === 0) return undefined;
  return (
    <ul class="plain">
      {texts.slice(0, 20).map((text, index) => (
        <li key={index}>
          <Untrusted text={text} />
        </li>
      ))}
    </ul>
  );
}
