import type { ComponentChildren } from 'preact';

/** Labels and values of facts about one thing; without unknown ones. */
export function FactList({
  facts,
}: {
  facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}) {
  return (
    <dl class="terms">
      {facts.map(([name, value], index) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
