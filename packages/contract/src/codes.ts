import { CANNOT_VERIFY, CONCLUSION_TABLE } from '@touchstone/certificate';
import { ENVELOPE_FAULTS } from '@touchstone/certificate/envelope';
import {
  LOG_NOTES,
  LOG_REASONS,
  PROFILE_REASONS,
  REASONS,
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
} from '@touchstone/certificate/verify';
import { type CodeRow, type CodeTable, codeRows, stepRows } from './code-table.ts';
import { DOMAIN_FINDINGS } from './domain-findings.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { STATUS_OF } from './errors.ts';
import { IMAGE_FAILURES } from './image-failures.ts';
import { PARTS } from './parts.ts';

export type { CodeRow, CodeTable };

/**
 * Codes used only by the companion tools, with their sentences; every other code in their results is a fault of the
 * service. Like the service's lists, a closed list.
 */
export const TOOL_CODES = {
  arguments_invalid: 'The arguments do not match the schema of the tool.',
  product_not_named:
    'A document was given without productId, and the document is not a JSON object with a productID: give productId, or omit the document to have the page itself checked.',
  tool_absent: 'This service lacks this tool: it was started without the part that has it.',
  code_unknown:
    'The service has no such code. Give a verdict, the reason of a check (not its name), or the part of a warning, error or finding before the colon.',
  service_unreachable: 'The service that this tool server uses does not answer.',
  service_contradicts_itself:
    'The response of the service that this tool server uses contradicts the question or itself: it proves nothing.',
  service_not_understood: 'The service that this tool server uses gave a response that is not understood.',
} as const;

export type ToolCode = keyof typeof TOOL_CODES;

/**
 * Every code that the service or the offline SDK can return, from the tables used at runtime.
 *
 * @param pageCodes - `PAGE_CODES` of `@touchstone/page`, passed in because the contract must not import it
 */
export function codeTables(pageCodes: Readonly<Record<string, string>>): CodeTable[] {
  return [
    {
      title: 'Faults',
      intro:
        'In `code` of a problem document, with this status, and of a fault that a companion tool reports. Those of ' +
        'image-keyed verification also appear in `warnings` and `errors` of its result. Those with 429 or 5xx are ' +
        'temporary: retry as `Retry-After` says. For all others:',
      advice: 'Change the request: repeating it unchanged has the same result.',
      rows: Object.entries(ERROR_CODES).map(([code, sentence]) => ({
        code,
        sentence,
        status: STATUS_OF[code as ErrorCode],
      })),
    },
    {
      title: 'Conclusions',
      intro:
        'In `conclusion.code` of a verification result and a page check report, with its level: the first that applies of those ' +
        'for the verdict. {host}, {control} and {expired} are filled in from what was signed.',
      advice: 'Rely on the level: only "good" is a reason to go ahead.',
      rows: CONCLUSION_TABLE.map(({ code, level, sentence }) => ({
        code,
        sentence: `${level}: ${sentence}`,
      })),
    },
    {
      title: 'Reasons of checks',
      intro: 'In `checkDetails`, and before the colon in `warnings` and `errors` of a verification result.',
      advice:
        'Among the errors, it is the reason why the verdict is not "verified": do not rely on the page. Among the warnings, it is advisory.',
      rows: codeRows(REASONS),
    },
    {
      title: 'Reasons of profiles',
      intro:
        'In `checks`, `warnings` and `errors` of an offline verification by profiles, in addition to those above.',
      advice:
        'Among the errors, it is the reason why a profile is not "trusted". Among the warnings, it is advisory.',
      rows: codeRows(PROFILE_REASONS),
    },
    {
      title: 'Withdrawal',
      intro:
        'In `withdrawal.reason` of a verification result and of `mc4p` in a page check report. `certificate_withdrawn` and those that are about the proof are also reasons of checks; `certificate_suspended` and `withdrawal_unknown` are warnings.',
      advice:
        'If the status is null, nothing is known about a withdrawal, which is neither a pass nor a failure.',
      rows: codeRows({ ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES }),
    },
    {
      title: 'Transparency log',
      intro:
        'In `log.reason` and `log.steps` of a verification by the SDK, the command line or in the browser, which the service itself does not make; `log_proof_invalid` and `log_required` are warnings.',
      advice: 'If the status is null, nothing is known about a log, which is neither a pass nor a failure.',
      rows: codeRows({ ...LOG_REASONS, ...LOG_NOTES }),
    },
    {
      title: 'Codes of page checks',
      intro: 'Before the colon in `findings`, `warnings` and `errors` of a page check report.',
      advice: 'Read it together with the verdict, which it explains; it decides nothing by itself.',
      rows: codeRows(pageCodes),
    },
    {
      title: 'Codes of the companion tools',
      intro: 'In `error.code` of the result of a companion tool, in addition to the faults above.',
      advice: 'Change the tool call, or the address of the service that the tool server uses.',
      rows: codeRows(TOOL_CODES),
    },
    {
      title: 'Findings of domain checks',
      intro:
        'In `code` of `saw`, in addition to the codes of page checks if a host did not answer; `{value}` stands for the value found.',
      advice: 'Publish the challenge as `nextStep` says, then verify the domain again.',
      rows: codeRows(DOMAIN_FINDINGS),
    },
    {
      title: 'Failures of images',
      intro: 'In `code` of a failed image of a store, together with the next step.',
      advice: 'Do what the sentence says, then have the image scanned again.',
      rows: stepRows(IMAGE_FAILURES),
    },
    {
      title: 'Faults of credentials',
      intro:
        'In `fault` of an offline verification of a certificate as a credential (`application/vc+jwt`); never in a response of the service.',
      advice: 'The credential proves nothing.',
      rows: codeRows(ENVELOPE_FAULTS),
    },
    ...PARTS.flatMap(({ codes = [] }) => codes),
    {
      title: 'Errors of the offline SDK',
      intro: 'In `code` of a `CannotVerifyError`; never in a response of the service.',
      advice: 'Nothing is known about the certificate: correct what the sentence names, then verify again.',
      rows: codeRows(CANNOT_VERIFY),
    },
  ];
}

export { DOMAIN_FINDINGS, type DomainFindingCode } from './domain-findings.ts';
export { IMAGE_FAILURES, type ImageFailure, type ImageFailureCode } from './image-failures.ts';
export { HOST_STATEMENTS, type HostStatementCode } from './parts/copies/codes.ts';
export { PICTURE_CODES, type PictureCode } from './parts/picture-matches/codes.ts';
export { SHOPIFY_PROBLEMS, type ShopifyProblemCode } from './parts/shopify/operations.ts';
export {
  DRIFT_FIELDS,
  type DriftField,
  SWEEP_CODES,
  SWEEP_RESULTS,
  type SweepResultName,
} from './parts/sweeps/results.ts';
export { DELIVERY_FAILURES, type DeliveryFailureCode } from './parts/webhooks/delivery-failures.ts';
export { NOT_PUBLISHING } from './product-states.ts';
export { ROW_FAULTS, type RowFaultType } from './row-faults.ts';

/** Renders docs/codes.md. */
export function codesMarkdown(tables: readonly CodeTable[]): string {
  const sections = tables.map(({ title, intro, advice, rows }) => {
    const hasStatus = rows.some((row) => row.status !== undefined);
    const lines = rows.map(({ code, sentence, status }) => {
      // a tag in a sentence would be rendered as HTML
      const says = sentence.replaceAll('<', '&lt;');
      return hasStatus ? `| \`${code}\` | ${status} | ${says} |` : `| \`${code}\` | ${says} |`;
    });
    const head = hasStatus ? ['| code | status | says |', '|---|---|---|'] : ['| code | says |', '|---|---|'];
    return [`## ${title}`, '', `${intro} ${advice}`, '', ...head, ...lines].join('\n');
  });
  return `# Codes\n\nGenerated from the code by \`npm run docs\`; do not edit.\n\n${sections.join('\n\n')}\n`;
}
