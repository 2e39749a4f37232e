import type { ImageInspection } from '@touchstone/image/browser';
import { useEffect } from 'preact/hooks';
import { Term } from '../report/signed.tsx';
import { Fill, fill, localeOf, Moment, nameOfFormat, Untrusted, useSetting } from '../ui/text.tsx';
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
  const actionNames: Readonly<Record<string, string>> = words.actionNames;
  return (
    <>
      <Finding
        tone={manifest.valid ? 'good' : manifest.hasManifest ? 'bad' : 'neutral'}
        name={tone}
        title={title}
        meaning={meaning}
      />
      <dl class="terms">
        {manifest.hasManifest ? (
          <Term name={words.signer}>
            <Untrusted text={signer?.commonName ?? signer?.issuer ?? words.noSigner} />
            <p class="small">{words.trust}</p>
          </Term>
        ) : null}
        {signer?.time === undefined ? null : (
          <Term name={words.time}>
            <Moment at={signer.time} />
          </Term>
        )}
        {manifest.claimGenerator === undefined ? null : (
          <Term name={words.generator}>
            <Untrusted text={manifest.claimGenerator} />
          </Term>
        )}
        {manifest.title === undefined ? null : (
          <Term name={words.titleOf}>
            <Untrusted text={manifest.title} />
          </Term>
        )}
        <Texts
          name={words.actions}
          texts={manifest.actions.map(({ action }) =>
            Object.hasOwn(actionNames, action) ? (actionNames[action] ?? action) : action,
          )}
        />
        <Texts
          name={words.ingredients}
          texts={manifest.ingredients.map((one) => one.title ?? words.unnamed)}
        />
        <Texts name={words.failures} texts={manifest.failures.map(({ code }) => code)} />
        <Term name={words.format}>
          <Untrusted text={nameOfFormat(header.mediaType)} />
        </Term>
        <Term name={words.size}>
          <Fill
            text={words.sizeValue}
            values={{ width: number.format(header.width), height: number.format(header.height) }}
          />
        </Term>
        <Term name={words.uhash}>
          <Untrusted text={uhash} code />
        </Term>
        {phash === undefined ? null : (
          <Term name={words.phash}>
            <Untrusted text={phash} code />
          </Term>
        )}
      </dl>
    </>
  );
}

/** Untrusted text from the image. */
function Texts({ name, texts }: { name: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Term name={name}>
      <ul class="plain">
        {texts.slice(0, 20).map((text, index) => (
          <li key={index}>
            <Untrusted text={text} />
          </li>
        ))}
      </ul>
    </Term>
  );
}
