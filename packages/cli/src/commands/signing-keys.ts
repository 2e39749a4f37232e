import type { SigningKeyView } from '@touchstone/contract';
import type { Command } from 'commander';
import { cannotTell, EXIT } from '../cli-error.ts';
import { confirm } from '../confirm.ts';
import { counted, safe, table } from '../output/text.ts';
import { addRegistryCommand, type CommandOutput } from '../registry/registry-command.ts';
import type { Session } from '../session.ts';

const KID = 'Zx3vQ0jTq1m7c2yS5oXr9a8uKcB4wP6eNfHdGtLi0Vk';

/** Commands of the operator for the keys of the service itself; those of merchants' API keys stand beside them. */
export function addSigningKeys(keys: Command, session: Session): void {
  const signing = keys
    .command('signing')
    .description(
      'Keys with which the service signs certificates and its own requests; with the operator key.',
    );
  addRegistryCommand(signing, session, {
    words: 'list',
    description: 'List the signing keys, with the certificates that each has signed.',
    example: 'keys signing list',
    run: async ({ client }) => {
      const { keys: all } = await client.call('listSigningKeys', {});
      return { value: { keys: all }, words: () => table(all.map(rowOf)) };
    },
  });
  addRegistryCommand(signing, session, {
    words: 'rotate',
    description:
      'Replace the key that signs certificates before its term ends. Certificates signed with it remain valid; for a key that leaked: revoke.',
    example: 'keys signing rotate',
    run: async ({ client }) => {
      const key = await client.call('rotateSigningKeys', {});
      return { value: key, words: () => `Key ${safe(key.kid)} signs certificates now.\n` };
    },
  });
  addRegistryCommand<{ readonly now?: boolean; readonly yes?: boolean; readonly reason?: string }>(
    signing,
    session,
    {
      words: 'revoke <kid>',
      description:
        'Revoke a signing key whose private half may have leaked: nothing signed with it is trusted any longer. Shows what follows, and asks. A name that begins with - goes last, after --.',
      example: `keys signing revoke ${KID} --now`,
      options: (command) =>
        command
          .option('--reason <text>', 'why; listed for each merchant whose certificates it signed')
          .option('--now', 'revoke it without asking')
          .option('--yes', 'the same as --now'),
      run: async ({ client, args: [kid = ''], options }) => {
        const { keys: all } = await client.call('listSigningKeys', {});
        const key = all.find((one) => one.kid === kid);
        if (key === undefined) {
          throw cannotTell(
            'signing_key_unknown',
            `The service has no signing key ${safe(kid)}.`,
            'List them: touchstone keys signing list. API keys are revoked with touchstone keys revoke.',
          );
        }
        if (key.revokedAt !== undefined) return revoked(key, all);
        if (options.now !== true && options.yes !== true) {
          const asked = { verb: 'Revoke it', undone: 'Nothing was revoked.' };
          if (
            !(await confirm(session, `Key ${safe(kid)} ${consequences(key)} This cannot be undone.`, asked))
          )
            return { value: key, words: () => 'Nothing was revoked.\n', exit: EXIT.unverified };
        }
        const { reason } = options;
        await client.call('revokeSigningKey', { params: { kid }, ...(reason && { body: { reason } }) });
        const { keys: after } = await client.call('listSigningKeys', {});
        return revoked(after.find((one) => one.kid === kid) ?? key, after);
      },
    },
  );
}

function rowOf({ kid, purpose, state, publishedAt, certificates, ...times }: SigningKeyView) {
  const since =
    times.revokedAt ??
    times.retiredAt ??
    (state === 'standby' ? publishedAt : (times.activeFrom ?? publishedAt));
  return [kid, purpose, `${state} since ${since}`, certificates ? counted(certificates, 'certificate') : ''];
}

/** What follows from revoking a key, in sentences after its name. */
function consequences({ purpose, state, certificates = 0, reissueSeconds }: SigningKeyView): string {
  if (purpose === 'requests') {
    return state === 'active'
      ? 'signs the requests of the service to shops. Those signed with it can no longer be verified; the next key signs at once.'
      : 'signs no requests now. Requests signed with it can no longer be verified.';
  }
  if (purpose === 'receipts')
    return `${state === 'active' ? 'signs receipts; the next key signs at once.' : `is ${state}.`} Receipts signed with it can no longer be verified; certificates remain valid.`;
  if (purpose === 'attestations')
    return `${state === 'active' ? 'signs attestations; the next key signs at once.' : `is ${state}.`} Attestations signed with it, which are valid for minutes, can no longer be verified; certificates remain valid.`;
  if (purpose === 'status_lists')
    return `${state === 'active' ? 'signs status lists; the next key signs at once.' : `is ${state}.`} Lists signed with it count no longer; certificates remain valid.`;
  if (purpose === 'transparency_log')
    return `${state === 'active' ? 'signs a transparency log' : `is ${state}, and may sign one`}: it ends with what it has published, and another with another key goes on within seconds. Certificates remain valid.`;
  const first = state === 'active' ? 'signs certificates now; the next key signs at once.' : `is ${state}.`;
  if (certificates === 0)
    return `${first} No certificate issued in advance is signed with it; others are issued again when requested.`;
  const time = reissueSeconds === undefined ? '' : `, which takes about ${duration(reissueSeconds)}`;
  return `${first} ${counted(certificates, 'certificate')} signed with it become invalid at once, on pages too. They are issued again: each when it is next requested, the others in the background${time}.`;
}

function duration(seconds: number): string {
  if (seconds < 90) return counted(Math.max(1, seconds), 'second');
  if (seconds < 5_400) return counted(Math.round(seconds / 60), 'minute');
  return counted(Math.round(seconds / 3_600), 'hour');
}

function revoked({ kid, revokedAt, purpose }: SigningKeyView, all: readonly SigningKeyView[]): CommandOutput {
  const now = all.find((key) => key.purpose === purpose && key.state === 'active');
  const next = now === undefined ? '' : ` Key ${safe(now.kid)} signs now.`;
  return {
    value: { kid, revokedAt, signsNow: now?.kid },
    words: () => `Key ${safe(kid)} is revoked.${next}\n`,
  };
}
