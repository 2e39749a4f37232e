import { FactList } from '../ui/fact-list.tsx';
import { fill, localeOf, Moment, plural, useSetting } from '../ui/text.tsx';

const DAY = 86_400_000;

interface ValidityProps {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  readonly now: number;
}

/** The validity period of a proof, the present position in it, and what follows. */
export function Validity({ from, until, now }: ValidityProps) {
  const { language, texts } = useSetting();
  const { validity: words } = texts.certificate;
  const [fromText, untilText] = [from, until].map((at) => new Date(at).toISOString()) as [string, string];
  const day = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' });
  const label = fill(words.picture, { from: day.format(from), until: day.format(until) });
  const isCurrent = now >= from && now < until;
  const share = Math.min(1, Math.max(0, (now - from) / (until - from)));
  return (
    <section aria-labelledby="validity">
      <h2 id="validity">{words.title}</h2>
      <svg
        class="lifetime"
        viewBox="0 0 280 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        data-current={isCurrent}
      >
        <rect class="whole" y="8" width="280" height="8" />
        <rect class="past" y="8" width={share * 280} height="8" />
        {[1, 2, 3, 4, 5, 6].map((mark) => (
          <path key={mark} class="mark" d={`M${mark * 40} 8v8`} />
        ))}
        {isCurrent ? <path class="now" d={`M${share * 280} 2v20`} /> : null}
      </svg>
      <FactList
        facts={[
          [words.from, <Moment at={fromText} isZoned />],
          [
            words.until,
            <>
              <Moment at={untilText} isZoned />
              {isCurrent
                ? ` · ${plural(language, words.left, Math.max(1, Math.round((until - now) / DAY)))}`
                : ''}
            </>,
          ],
        ]}
      />
      <p class="small">{words.after}</p>
    </section>
  );
}
