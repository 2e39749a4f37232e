import type { Texts } from '../text/texts.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * The fallback picture where scripts do not run, as SVG; it makes no claim. Size and appearance match the badge (`style.ts`); texts that
 * are too wide for the space would be cut off.
 */
export function badgePicture({ picture, name }: { picture: string; name: Texts['badge']['name'] }): string {
  const [title, below] = [picture, name].map((text) => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? ''));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="208" height="44" viewBox="0 0 208 44" role="img" aria-label="${title}">
<style>.g{fill:#fff;stroke:#c9c4b8}.t{fill:#1c1b19}.s{fill:#5a564e}.l{stroke:#5a564e}@media(prefers-color-scheme:dark){.g{fill:#1d1c1a;stroke:#4b4841}.t{fill:#f3f0e9}.s{fill:#b9b3a6}.l{stroke:#b9b3a6}}</style>
<rect class="g" x=".5" y=".5" width="207" height="43" rx="3"/>
<rect class="s" width="4" height="44" rx="2"/>
<g class="l" fill="none" stroke-width="2" stroke-linecap="round"><circle cx="24" cy="20" r="8"/><path d="m30 26 6 6"/></g>
<g font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"><text class="t" x="46" y="20" font-size="13.5" font-weight="650">${title}</text><text class="s" x="46" y="35" font-size="12">${below}</text></g>
</svg>
`;
}
