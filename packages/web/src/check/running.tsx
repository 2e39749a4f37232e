import { useEffect, useState } from 'preact/hooks';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';

/** Milliseconds after which the page says that the shop is slow. */
const SLOW = 4_000;

/** The steps of a running check. The service responds once at the end, so no step is marked as done before. */
export function Running({ url, since }: { url: string; since: number }) {
  const { running: words } = useTexts().check;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [since]);
  return (
    <section class="running" aria-labelledby="running">
      <h1 id="running">
        <Fill text={words.title} values={{ site: <Untrusted text={URL.parse(url)?.host ?? url} /> }} />
      </h1>
      <div class="busy-bar" aria-hidden="true" />
      <ol>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="small" data-slow={isSlow}>
        {isSlow ? words.slow : words.note}
      </p>
    </section>
  );
}
