import type { CopyHost } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { Copyable } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { useFormat, useWords } from '../tools.ts';

/** Those to whom a notice goes. */
const RECIPIENTS = ['host', 'registrar', 'payment', 'search'] as const;

type Addresses = Readonly<Record<(typeof RECIPIENTS)[number], string>>;

/**
 * The text of a notice about a host, in the language of the page: what was found, with its dates. The merchant fills in to whom it goes,
 * and sends it with the evidence. A name alone is nothing to give notice of.
 */
export function NoticeText({ host }: { host: CopyHost }) {
  const { copies } = useWords();
  const words = copies.notice;
  const { day } = useFormat();
  const [addresses, setAddresses] = useState<Addresses>({ host: '', registrar: '', payment: '', search: '' });
  const { certificate, pictures } = host.found;
  if (certificate === undefined && pictures === undefined) return null;
  const found = [
    ...(pictures === undefined
      ? []
      : [
          fill(copies.found.pictures, {
            pictures: pictures.pictures,
            of: pictures.of,
            host: pictures.original,
          }),
        ]),
    ...(certificate === undefined ? [] : [words.certificate]),
  ];
  const to = RECIPIENTS.flatMap((name) =>
    addresses[name].trim() === '' ? [] : [`${words.recipients[name]}: ${addresses[name].trim()}`],
  );
  const dates = { first: day(host.firstAt), last: day(host.lastAt), service: location.origin };
  const text = [
    ...(to.length === 0 ? [] : [to.join('\n')]),
    fill(words.about, { url: host.url }),
    [words.saw, ...found.map((line) => `- ${line}`)].join('\n'),
    fill(words.dates, dates),
    words.evidence,
    words.ask,
  ].join('\n\n');
  return (
    <details>
      <summary>{words.title}</summary>
      <p class="hint">{words.hint}</p>
      {RECIPIENTS.map((name) => (
        <TextField
          key={name}
          label={words.recipients[name]}
          isOptional
          value={addresses[name]}
          onValue={(value) => setAddresses((now) => ({ ...now, [name]: value }))}
          autocomplete="off"
        />
      ))}
      <Copyable text={text} label={words.title} isBlock />
    </details>
  );
}
