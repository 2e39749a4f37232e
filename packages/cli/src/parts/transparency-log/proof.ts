import { LOG_REASONS, type LogFinding, verifyLogProof } from '@touchstone/certificate/log';
import type { Command } from 'commander';
import { CliError, EXIT, type ExitCode, usage } from '../../cli-error.ts';
import { safe } from '../../output/text.ts';
import { reasonOf } from '../../problem.ts';
import type { Session } from '../../session.ts';
import { type GlobalOptions, serviceUrl } from '../../settings.ts';
import { readPolicy } from '../../verify/log-policy.ts';
import { fetchLogProof } from '../../verify/log-source.ts';
import { GivenProofs } from './given-proofs.ts';
import { witnessWords } from './words.ts';

interface ProofOptions extends GlobalOptions {
  readonly policy?: string;
  readonly out?: string;
}

export function addProof(log: Command, session: Session): void {
  log
    .command('proof')
    .description(
      'Fetch the newest proof that a certificate is logged, with the cosignatures of witnesses; verify it.',
    )
    .argument('<file>', 'the certificate, or its proof')
    .option(
      '--policy <file>',
      'file or address of a policy: whose keys count; without it, that of the service',
    )
    .option('--out <file>', 'write it there (.tlog-proof) instead of printing it')
    .action((file: string, _: unknown, command: Command) =>
      fetchProof(session, file, command.optsWithGlobals<ProofOptions>()),
    );
}

async function fetchProof(session: Session, file: string, options: ProofOptions): Promise<void> {
  const { io } = session;
  const [jws, another] = (await GivenProofs.read([file], io)).all;
  if (jws === undefined || another !== undefined) throw usage(`${file} is not one certificate.`);
  const above = `${serviceUrl(options, io.env)}/api/v1/mc4p/log`;
  const policy = await readPolicy(options.policy ?? `${above}/policy`, io);
  const bytes = await fetchLogProof(above, jws, io);
  if (bytes === undefined) {
    const message = 'The service has no log with this certificate.';
    throw new CliError(message, { exitCode: EXIT.unverified, code: 'certificate_not_logged' });
  }
  const proof = new TextDecoder().decode(bytes);
  const finding = await verifyLogProof(jws, proof, { policy });
  if (options.out !== undefined)
    await io.writeFile(options.out, bytes).catch((error: unknown) => {
      throw new CliError(`${options.out} cannot be written: ${reasonOf(error)}.`, {
        exitCode: EXIT.cannotTell,
        code: 'output_not_written',
      });
    });
  const shown = options.out === undefined ? proof.trimEnd().split('\n').map(safe).join('\n') : '';
  const { origin, index, treeSize, witnesses, reason, status } = finding;
  // a quorum of the policy that is not met
  const isShort = status === 'logged' && policy.quorum !== undefined;
  session.print(options, { ...finding, proof }, () => (shown === '' ? '' : `${shown}\n`));
  const words = witnessWords({
    witnesses: witnesses ?? [],
    ...(policy.quorum === undefined ? {} : { quorum: status === 'witnessed' }),
  });
  io.stderr.write(
    status === 'witnessed' || status === 'logged'
      ? `Entry ${index} of ${treeSize} in ${safe(origin ?? '')}; ${words}.\n`
      : `${LOG_REASONS[reason]} (${reason})\n`,
  );
  session.exitCode = exitOf(finding, isShort);
}

function exitOf({ status }: LogFinding, isShort: boolean): ExitCode {
  if (status === 'invalid') return EXIT.failed;
  if (status === null) return EXIT.cannotTell;
  return isShort ? EXIT.unverified : EXIT.verified;
}
