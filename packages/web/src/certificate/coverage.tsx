import { fill, localeOf, useSetting } from '../ui/text.tsx';

interface Counts {
  readonly certifiedAssets: number;
  readonly totalAssets: number;
  readonly coveragePercent: number;
}

/** Maximum number of squares; more would be too small to count. */
const MOST_SQUARES = 60;
const PER_ROW = 12;

/** How many of the images are certified: a square for each, or a bar for many. */
export function Coverage({ counts }: { counts: Counts }) {
  const { language, texts } = useSetting();
  const { coverage: words } = texts.certificate;
  const { certifiedAssets: certified, totalAssets: total, coveragePercent } = counts;
  if (total === 0) return <p>{words.none}</p>;
  const number = new Intl.NumberFormat(localeOf(language));
  const values = { certified: number.format(certified), total: number.format(total) };
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 1 });
  return (
    <div class="coverage">
      <p class="figure">
        <strong>{fill(words.value, values)}</strong>
        <span class="small">{fill(words.percent, { percent: percent.format(coveragePercent / 100) })}</span>
      </p>
      {total > MOST_SQUARES ? (
        <Bar share={certified / total} label={fill(words.picture, values)} />
      ) : (
        <Squares certified={certified} total={total} label={fill(words.picture, values)} />
      )}
      <p class="legend small" aria-hidden="true">
        <span data-kind="certified">{words.legend.certified}</span>
        <span data-kind="other">{words.legend.other}</span>
      </p>
      <p class="small">{words.meaning}</p>
    </div>
  );
}

function Squares({ certified, total, label }: { certified: number; total: number; label: string }) {
  const rows = Math.ceil(total / PER_ROW);
  const width = Math.min(total, PER_ROW) * 20 - 4;
  return (
    <svg
      class="squares"
      viewBox={`-1 -1 ${width + 2} ${rows * 20 - 2}`}
      width={width + 2}
      height={rows * 20 - 2}
      role="img"
      aria-label={label}
    >
      {Array.from({ length: total }, (_, index) => {
        const [x, y] = [(index % PER_ROW) * 20, Math.floor(index / PER_ROW) * 20];
        const isCertified = index < certified;
        return (
          <g key={index} data-kind={isCertified ? 'certified' : 'other'}>
            <rect x={x} y={y} width="16" height="16" />
            {isCertified ? <path d={`m${x + 4} ${y + 8} 3 3 5-6`} /> : null}
          </g>
        );
      })}
    </svg>
  );
}

function Bar({ share, label }: { share: number; label: string }) {
  return (
    <svg class="coverage-bar" viewBox="0 0 240 16" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect data-kind="other" width="240" height="16" />
      <rect data-kind="certified" width={Math.min(1, Math.max(0, share)) * 240} height="16" />
    </svg>
  );
}
