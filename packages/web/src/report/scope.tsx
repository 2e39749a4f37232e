import { useTexts } from '../ui/text.tsx';

/** What a certificate proves, and what it does not. */
export function Scope() {
  const { scope } = useTexts().report;
  return (
    <section class="scope" aria-labelledby="scope">
      <h2 id="scope">{scope.title}</h2>
      <div class="pair">
        <div>
          <h3>{scope.proves}</h3>
          <ul>
            {scope.provesItems.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{scope.provesNot}</h3>
          <ul>
            {scope.provesNotItems.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
