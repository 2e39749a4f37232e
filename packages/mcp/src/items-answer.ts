import type { ItemAnswer } from '@touchstone/contract';
import { adviceOn } from './advice.ts';
import { LEVELS } from './describe-verdict.ts';
import type { Explain } from './explanations.ts';
import type { ToolAnswer } from './tool.ts';
import { cutText, quoted, signedTexts } from './untrusted.ts';
import type { ItemsVerified } from './use-cases.ts';

/** Members that quote an item, or the shop's text in signed claims. */
const QUOTED_BY_ITEMS = [
  'results[].result.item',
  'results[].result.place',
  'results[].result.fields',
  'results[].result.notCompared',
  'results[].result.signed',
  'results[].result.checkDetails',
  'results[].result.warnings',
  'results[].result.errors',
];

/** Formats verified items as a tool result: for each a line in our words, then what differs, as quotations. */
export function itemsAnswer(verified: ItemsVerified, explain: Explain): ToolAnswer {
  const lines = verified.map((one, at) => `Item ${at + 1}: ${lineOf(one, explain)}`);
  const quotations = verified.flatMap(({ result }, at) =>
    result === undefined ? [] : quotationsOf(result, `item ${at + 1}`),
  );
  return {
    data: {
      results: verified.map(({ result, error }) => (error ? { error } : { result: cutItem(result) })),
      untrusted: QUOTED_BY_ITEMS,
    },
    say: [lines.join('\n'), ...quoted(quotations)],
  };
}

function lineOf({ result, error }: ItemsVerified[number], explain: Explain): string {
  if (error !== undefined) return `no result. ${explain(error.code)?.says ?? error.code}`;
  const { conclusion, status, fields, errors, signed, offeredBy, notCompared } = result;
  const of = (wanted: string) =>
    Object.entries(fields).flatMap(([name, { result: found }]) => (found === wanted ? [name] : []));
  const told = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${names.join(', ')}.`];
  return [
    `${LEVELS[conclusion.level]}: ${conclusion.sentence}`,
    `What to do: ${adviceOn(conclusion, errors)}`,
    `Verdict: ${status}.`,
    ...told('Differs', of('differs')),
    ...told('Agrees', of('agrees')),
    ...told('Not compared', of('not_compared')),
    ...(notCompared.length === 0 ? [] : [`Besides, it states ${notCompared.length} more, not compared.`]),
    ...(offeredBy === undefined ? [] : [`Offered by ${offeredBy}.`]),
    ...signedTexts(signed as Parameters<typeof signedTexts>[0]),
  ].join(' ');
}

function quotationsOf({ fields, item }: ItemAnswer, label: string): [string, string][] {
  const differing = Object.entries(fields).flatMap(
    ([name, { result, signed, stated }]): [string, string][] =>
      result === 'differs'
        ? [
            [`${label}, ${name} (signed)`, textOf(signed)],
            [`${label}, ${name} (stated)`, textOf(stated)],
          ]
        : [],
  );
  return [
    ...(item.name === undefined ? [] : [[`${label}, name`, cutText(item.name)] as [string, string]]),
    ...differing,
  ];
}

function textOf(value: string | readonly string[] | undefined): string {
  return cutText([value ?? []].flat().join(' '));
}

/** The result with every text of the item and of the shop truncated. */
function cutItem(result: ItemAnswer | undefined): unknown {
  return JSON.parse(JSON.stringify(result), (_, value) =>
    typeof value === 'string' ? cutText(value, 1_000) : value,
  );
}
