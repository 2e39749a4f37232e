import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { QrCodePath } from './qr-code.ts';
import { QrPicture } from './qr-picture.tsx';
import { useTexts } from './text.tsx';

interface KeepActionsProps {
  /** The link to copy, also shown as a QR code. */
  readonly link: string;
  /** Label of the copy button. */
  readonly copyLabel: string;
  /** Further actions, shown before these. */
  readonly children?: ComponentChildren;
}

/** Ways to keep a page: its link, a print, and a QR code, whose script is loaded on demand. */
export function KeepActions({ link, copyLabel, children }: KeepActionsProps) {
  const { keep: words } = useTexts().common;
  const [code, setCode] = useState<QrCodePath | null>(null);
  const toggle = async () => {
    setCode(code === null ? (await import('./qr-code.ts')).qrCodeOf(link) : null);
  };
  return (
    <>
      <div class="actions">
        {children}
        <CopyButton text={async () => link}>{copyLabel}</CopyButton>
        <button type="button" class="button" onClick={() => print()}>
          {words.print}
        </button>
        <button type="button" class="button" aria-expanded={code !== null} onClick={() => void toggle()}>
          {words.qr}
        </button>
      </div>
      {code === null ? null : <QrPicture code={code} label={words.qr} />}
    </>
  );
}

export function CopyButton({ text, children }: { text: () => Promise<string>; children: ComponentChildren }) {
  const { common } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? common.copied : children}</span>
    </button>
  );
}
