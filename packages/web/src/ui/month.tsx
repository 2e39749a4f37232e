import { useSetting } from './text.tsx';

/** A month, given as `2026-03`, in words of the page's language. */
export function Month({ month }: { readonly month: string }) {
  const { language } = useSetting();
  const at = new Date(`${month}-01T00:00:00Z`);
  const words = Number.isNaN(at.getTime())
    ? month
    : new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
  return <time dateTime={month}>{words}</time>;
}
