import type { Command } from 'commander';
import { EXIT } from '../../cli-error.ts';
import { safe, table } from '../../output/text.ts';
import { registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';

interface EvidenceOptions extends GlobalOptions {
  readonly key?: string;
  readonly out?: string;
}

export function addEvidence(program: Command, session: Session): void {
  const evidence = program
    .command('evidence')
    .description(
      'Pages that touchstone check --evidence kept for a merchant: each in one file, for 90 days.',
    );
  const add = (name: string, description: string) =>
    evidence
      .command(name)
      .description(description)
      .option('--key <key>', 'API key of the merchant (TOUCHSTONE_KEY)');
  const options = (command: Command) => command.optsWithGlobals<EvidenceOptions>();
  add('list', 'List the evidence of the merchant, the newest first.').action((_: unknown, command: Command) =>
    list(session, options(command)),
  );
  add('download', 'Download evidence: a ZIP file whose README.txt says what is in it.')
    .argument('<evidence-id>', 'the evidence')
    .option('--out <file>', 'target file (default: evidence-<id>.zip)')
    .action((id: string, _: unknown, command: Command) => download(session, id, options(command)));
  add('delete', 'Delete evidence.')
    .argument('<evidence-id>', 'the evidence')
    .action((id: string, _: unknown, command: Command) => remove(session, id, options(command)));
}

async function list(session: Session, options: EvidenceOptions): Promise<void> {
  const kept = await registryClient(session, options).call('listEvidence', {});
  session.print(options, kept, () => {
    const rows = kept.evidence.map((one) => [one.id, one.createdAt, one.verdict, one.url]);
    return `${table(rows)}${megabytes(kept.bytes)} of ${megabytes(kept.quotaBytes)} MB are used.\n`;
  });
  session.exitCode = EXIT.verified;
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

async function download(session: Session, id: string, options: EvidenceOptions): Promise<void> {
  const file = options.out ?? `evidence-${id}.zip`;
  const bytes = await registryClient(session, options).call('getEvidence', { params: { evidence_id: id } });
  await session.io.writeFile(file, Buffer.from(bytes));
  session.print(options, { file, bytes: bytes.byteLength }, () => `${safe(file)} is written.\n`);
  session.exitCode = EXIT.verified;
}

async function remove(session: Session, id: string, options: EvidenceOptions): Promise<void> {
  await registryClient(session, options).call('deleteEvidence', { params: { evidence_id: id } });
  session.print(options, { deleted: id }, () => `${safe(id)} is deleted.\n`);
  session.exitCode = EXIT.verified;
}
