import type { Conclusion, ConclusionCode } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { Day, Fill, Untrusted, useTexts } from '../ui/text.tsx';

/** What the texts of a conclusion name; untrusted. */
export interface Concerned {
  readonly signed?:
    | {
        readonly domain: string;
        readonly expiresAt: string;
        readonly control?: { readonly method: string; readonly checkedAt?: string | undefined } | undefined;
      }
    | undefined;
  /** The page that was checked, after redirects. */
  readonly page?: string | undefined;
}

export function concernedIn({ mc4p, final_url: page }: Pick<PageReport, 'mc4p' | 'final_url'>): Concerned {
  return { signed: mc4p.signed, page };
}

interface TextProps {
  readonly code: ConclusionCode;
  readonly part: 'title' | 'meaning' | 'next' | 'shop';
  readonly about: Concerned;
}

/** One text of a conclusion, with what it names; nothing if there is none. */
export function ConclusionText({ code, part, about }: TextProps) {
  const { conclusions } = useTexts();
  return <Fill text={conclusions[code][part]} values={useNamed(about)} />;
}

/** Whether there is a step for the operator of the shop. */
export function useHasShopStep({ code }: Conclusion): boolean {
  return useTexts().conclusions[code].shop !== '';
}

function useNamed({ signed, page = '' }: Concerned): Readonly<Record<string, ComponentChildren>> {
  const { control: words } = useTexts();
  const checkedAt = signed?.control?.checkedAt;
  const isDated = signed?.control?.method !== 'none' && checkedAt !== undefined;
  return {
    host: signed === undefined ? words.host : <Untrusted text={signed.domain} />,
    page: <Untrusted text={page} />,
    date: signed === undefined ? '' : <Day at={signed.expiresAt} />,
    control: isDated ? <Fill text={words.dated} values={{ date: <Day at={checkedAt} /> }} /> : words.undated,
  };
}
